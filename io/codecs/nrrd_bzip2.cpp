// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/nrrd_bzip2.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/convert.hpp"
#include "io/codecs/packed_values.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <bzlib.h>
#include <cstring>
#include <new>
#include <span>
#include <string>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kMostAtOnce = 1 << 20;

/// A file from some byte on, decompressed on the way.
class Bzip2File {
public:
    Bzip2File(const NrrdHeader& header, const Source& source)
        : m_source(source), m_file(header.dataPath), m_left(m_file.size() - header.dataBegin) {
        if (m_left > 0) m_file.seek(header.dataBegin);
    }
    ~Bzip2File() { close(); }
    Bzip2File(const Bzip2File&) = delete;
    Bzip2File& operator=(const Bzip2File&) = delete;

    /// Lines of the file as it is, so only before the first read().
    void skipLines(std::int64_t lines) {
        while (lines > 0) {
            if (!fill()) fail("line skip leads beyond its end");
            const auto* end = static_cast<char*>(std::memchr(m_stream.next_in, '\n', m_stream.avail_in));
            const auto taken = end == nullptr ? m_stream.avail_in : static_cast<unsigned>(end + 1 - m_stream.next_in);
            m_stream.next_in += taken;
            m_stream.avail_in -= taken;
            lines -= end != nullptr;
        }
    }

    /// How many bytes were put at the beginning of `out`; 0 when the last stream has ended.
    std::size_t read(std::span<std::byte> out) {
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

    /// Bytes after decompression.
    void skip(std::int64_t bytes) {
        std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::int64_t>(bytes, kMostAtOnce)));
        while (bytes > 0) {
            const auto most = std::min(bytes, static_cast<std::int64_t>(piece.size()));
            const auto got = read(std::span(piece).first(static_cast<std::size_t>(most)));
            if (got == 0) fail("byte skip leads beyond its end");
            bytes -= static_cast<std::int64_t>(got);
        }
    }

private:
    [[noreturn]] void fail(const char* detail) const { damaged(m_source.where, "NRRD", detail); }

    /// False when no compressed byte is left.
    bool fill() {
        if (m_stream.avail_in > 0) return true;
        if (m_left <= 0) return false;
        const auto count = std::min<std::int64_t>(m_left, static_cast<std::int64_t>(m_piece.size()));
        m_file.readExactly(std::span(m_piece).first(static_cast<std::size_t>(count)));
        m_left -= count;
        m_stream.next_in = reinterpret_cast<char*>(m_piece.data());
        m_stream.avail_in = static_cast<unsigned>(count);
        return true;
    }
    void open() {
        if (m_open) return;
        if (::BZ2_bzDecompressInit(&m_stream, 0, 0) != BZ_OK) throw std::bad_alloc();
        m_open = true;
    }
    void close() {
        if (m_open) ::BZ2_bzDecompressEnd(&m_stream);
        m_open = false;
    }

    const Source& m_source;
    InputFile m_file;
    std::int64_t m_left;
    std::array<std::byte, 1 << 16> m_piece{};
    bz_stream m_stream{};
    bool m_open = false;
    bool m_ended = false;  // at least one stream has
};

/// Values of the pixels side by side, from one axis of the file.
std::vector<std::byte> gathered(const std::vector<std::byte>& values, const NrrdHeader& header, std::size_t size) {
    std::size_t inner = 1;
    for (std::size_t axis = 0; axis < header.pixelAxis; ++axis) inner *= static_cast<std::size_t>(header.sizes[axis]);
    const auto together = static_cast<std::size_t>(header.sizes[header.pixelAxis]);
    std::vector<std::byte> result(values.size());
    auto* to = result.data();
    for (std::size_t block = 0; block < values.size(); block += inner * together * size) {
        for (std::size_t i = 0; i < inner; ++i) {
            for (std::size_t c = 0; c < together; ++c, to += size) {
                std::memcpy(to, &values[block + (c * inner + i) * size], size);
            }
        }
    }
    return result;
}

}  // namespace

std::vector<std::byte> readBzip2Values(const NrrdHeader& header, const Source& source) {
    const auto size = static_cast<std::size_t>(bytesOfType(header.type));
    const auto needed = static_cast<std::size_t>(valuesOf(header, "NRRD", source.where)) * size;
    if (header.byteSkip > source.limits.bytes) {
        throw Error(Error::Kind::limit, source.where + ": its byte skip of " + std::to_string(header.byteSkip) +
                                            " is over the limit of " + std::to_string(source.limits.bytes) +
                                            " bytes: save the values without what stands before them");
    }
    Bzip2File file(header, source);
    file.skipLines(header.lineSkip);
    file.skip(header.byteSkip);
    auto values = readNeeded(file, needed, "NRRD", source);
    if (size > 1 && header.bigEndian != (std::endian::native == std::endian::big)) swapBytes(values, size);
    if (header.pixelAxis == 0) return values;
    return gathered(values, header, size);
}

}  // namespace warplens::io::codecs
