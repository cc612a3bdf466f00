// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/inflate.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <new>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;
constexpr int kAnyWrapping = MAX_WBITS + 32;

}  // namespace

InflatedFile::InflatedFile(const std::string& path, std::int64_t begin, Wrapping wrapping, const char* title,
                           const Source& source)
    : m_source(source), m_title(title), m_file(path), m_left(m_file.size() - begin) {
    if (m_left > 0) m_file.seek(begin);
    if (::inflateInit2(&m_stream, wrapping == Wrapping::none ? -MAX_WBITS : kAnyWrapping) != Z_OK)
        throw std::bad_alloc();
}

InflatedFile::~InflatedFile() { ::inflateEnd(&m_stream); }

std::size_t InflatedFile::read(std::span<std::byte> out) {
    const auto wanted = static_cast<unsigned>(std::min(out.size(), kMostAtOnce));
    m_stream.next_out = reinterpret_cast<Bytef*>(out.data());
    m_stream.avail_out = wanted;
    while (!m_ended && m_stream.avail_out == wanted) {
        if (m_stream.avail_in == 0) {
            if (m_left <= 0) damaged(m_source.where, m_title, "its compressed values are cut off");
            const auto count = std::min<std::int64_t>(m_left, static_cast<std::int64_t>(m_piece.size()));
            m_file.readExactly(std::span(m_piece).first(static_cast<std::size_t>(count)));
            m_left -= count;
            m_stream.next_in = reinterpret_cast<Bytef*>(m_piece.data());
            m_stream.avail_in = static_cast<unsigned>(count);
        }
        const int state = ::inflate(&m_stream, Z_NO_FLUSH);
        if (state == Z_MEM_ERROR) throw std::bad_alloc();
        m_ended = state == Z_STREAM_END;
        if (!m_ended && state != Z_OK && state != Z_BUF_ERROR) {
            damaged(m_source.where, m_title, "its compressed values are corrupt");
        }
    }
    return wanted - m_stream.avail_out;
}

}  // namespace warplens::io::codecs
