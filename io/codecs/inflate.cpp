// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/inflate.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;
constexpr int kAnyWrapping = MAX_WBITS + 32;
constexpr std::array<unsigned char, 2> kGzipMagic{0x1f, 0x8b};

}  // namespace

InflatedFile::InflatedFile(const std::string& path, std::int64_t begin, Wrapping wrapping, const char* title,
                           const Source& source)
    : m_source(source), m_title(title), m_wrapping(wrapping), m_file(path), m_left(m_file.size() - begin) {
    if (m_left > 0) m_file.seek(begin);
    if (::inflateInit2(&m_stream, wrapping == Wrapping::none ? -MAX_WBITS : kAnyWrapping) != Z_OK)
        throw std::bad_alloc();
    if (wrapping == Wrapping::zlibOrGzip && fill())
        m_gzip = std::to_integer<unsigned char>(m_piece[0]) == kGzipMagic[0];
}

InflatedFile::~InflatedFile() { ::inflateEnd(&m_stream); }

/// False when no compressed byte is left.
bool InflatedFile::fill() {
    if (m_stream.avail_in > 0) return true;
    if (m_left <= 0) return false;
    const auto count = std::min<std::int64_t>(m_left, static_cast<std::int64_t>(m_piece.size()));
    m_file.readExactly(std::span(m_piece).first(static_cast<std::size_t>(count)));
    m_left -= count;
    m_stream.next_in = reinterpret_cast<Bytef*>(m_piece.data());
    m_stream.avail_in = static_cast<unsigned>(count);
    return true;
}

/// Whether another gzip stream follows, as where pieces were compressed side by side; it is begun then.
bool InflatedFile::beginNext() {
    if (!m_gzip) return false;
    // Both bytes of its signature, even where a piece of the file ends between them.
    for (const auto byte : kGzipMagic) {
        if (!fill() || *m_stream.next_in != byte) return false;
        ++m_stream.next_in;
        --m_stream.avail_in;
    }
    constexpr int kGzipOnly = MAX_WBITS + 16;
    if (::inflateReset2(&m_stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
    // They were taken away above, and there may be no room for them before the piece.
    auto magic = kGzipMagic;
    auto* const next = m_stream.next_in;
    const auto left = m_stream.avail_in;
    m_stream.next_in = magic.data();
    m_stream.avail_in = magic.size();
    ::inflate(&m_stream, Z_NO_FLUSH);
    m_stream.next_in = next;
    m_stream.avail_in = left;
    return true;
}

std::size_t InflatedFile::read(std::span<std::byte> out) {
    const auto wanted = static_cast<unsigned>(std::min(out.size(), kMostAtOnce));
    m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
    m_stream.avail_out = wanted;
    while (!m_ended && m_stream.avail_out == wanted) {
        if (!fill()) damaged(m_source.where, m_title, "its compressed values are cut off");
        const int state = ::inflate(&m_stream, Z_NO_FLUSH);
        if (state == Z_MEM_ERROR) throw std::bad_alloc();
        if (state == Z_STREAM_END) {
            m_ended = !beginNext();
        } else if (state != Z_OK && state != Z_BUF_ERROR) {
            damaged(m_source.where, m_title, "its compressed values are corrupt");
        }
    }
    return wanted - m_stream.avail_out;
}

}  // namespace warplens::io::codecs
