// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/dicom_bytes.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/inflate.hpp"

#include <algorithm>
#include <cstring>

namespace warplens::io::codecs {
namespace {

constexpr std::int64_t kWindow = 1 << 16;

}  // namespace

DicomBytes::DicomBytes(const std::string& path, const Source& source) : m_source(source), m_file(path) {}

void DicomBytes::read(std::int64_t at, std::span<std::byte> out) {
    if (out.empty()) return;
    const auto wanted = static_cast<std::int64_t>(out.size());
    if (!m_inflated.empty()) {
        std::memcpy(out.data(), m_inflated.data() + at, out.size());
        return;
    }
    if (wanted > kWindow) {
        m_file.seek(at);
        m_file.readExactly(out);
        return;
    }
    if (at < m_windowAt || at + wanted > m_windowAt + static_cast<std::int64_t>(m_window.size())) {
        m_window.resize(static_cast<std::size_t>(std::min(kWindow, m_file.size() - at)));
        m_windowAt = at;
        m_file.seek(at);
        m_file.readExactly(m_window);
    }
    std::memcpy(out.data(), m_window.data() + (at - m_windowAt), out.size());
}

std::int64_t DicomBytes::inflateFrom(std::int64_t at) {
    InflatedFile stream(m_file.path(), at, Wrapping::none, "DICOM", m_source);
    const auto most = static_cast<std::size_t>(m_source.limits.bytes);
    std::vector<std::byte> all(1 << 16);
    std::size_t filled = 0;
    while (const auto got = stream.read(std::span(all).subspan(filled))) {
        filled += got;
        if (filled > most) {
            throw Error(Error::Kind::limit, m_source.where + ": inflated, the file is over the limit of " +
                                                std::to_string(most) + " bytes: crop it first");
        }
        if (filled < all.size()) continue;
        if (m_source.limits.allowed) m_source.limits.allowed(static_cast<std::int64_t>(filled));
        all.resize(2 * filled);
    }
    if (filled == 0) damaged(m_source.where, "DICOM", "it ends before any pixels");
    all.resize(filled);
    m_inflated = std::move(all);
    return 0;
}

}  // namespace warplens::io::codecs
