// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/bunzip2.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <new>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;

}  // namespace

Bunzip2File::Bunzip2File(const std::string& path, std::int64_t begin, const char* title, const Source& source)
    : m_source(source), m_title(title), m_file(path), m_left(m_file.size() - begin) {
    if (m_left > 0) m_file.seek(begin);
}

void Bunzip2File::fail(const char* detail) const { damaged(m_source.where, m_title, detail); }

/// False when no compressed byte is left.
bool Bunzip2File::fill() {
    if (m_stream.avail_in > 0) return true;
    if (m_left <= 0) return false;
    const auto count = std::min<std::int64_t>(m_left, static_cast<std::int64_t>(m_piece.size()));
    m_file.readExactly(std::span(m_piece).first(static_cast<std::size_t>(count)));
    m_left -= count;
    m_stream.next_in = reinterpret_cast<char*>(m_piece.data());
    m_stream.avail_in = static_cast<unsigned>(count);
    return true;
}

void Bunzip2File::open() {
    if (m_open) return;
    if (::BZ2_bzDecompressInit(&m_stream, 0, 0) != BZ_OK) throw std::bad_alloc();
    m_open = true;
}

void Bunzip2File::close() {
    if (m_open) ::BZ2_bzDecompressEnd(&m_stream);
    m_open = false;
}

std::size_t Bunzip2File::read(std::span<std::byte> out) {
    const auto wanted = static_cast<unsigned>(std::min(out.size(), kMostAtOnce));
    m_stream.next_out = reinterpret_cast<char*>(out.data());
    m_stream.avail_out = wanted;
    while (m_stream.avail_out == wanted) {
        const bool more = fill();
        if (!m_open && !more && m_ended) return 0;
        open();
        const int state = ::BZ2_bzDecompress(&m_stream);
        if (state == BZ_STREAM_END) {
            close();
            m_ended = true;
        } else if (state == BZ_DATA_ERROR_MAGIC && m_ended) {
            // What follows a whole stream and is no other means nothing.
            close();
            m_left = 0;
            m_stream.avail_in = 0;
        } else if (state == BZ_MEM_ERROR) {
            throw std::bad_alloc();
        } else if (state != BZ_OK) {
            fail(state == BZ_DATA_ERROR_MAGIC ? "its values are no bzip2 stream" : "its bzip2 stream is corrupt");
        } else if (!more && m_stream.avail_out == wanted) {
            fail("its bzip2 stream is cut off");
        }
    }
    return wanted - m_stream.avail_out;
}

}  // namespace warplens::io::codecs
