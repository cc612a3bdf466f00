// SPDX-License-Identifier: Apache-2.0
// Written here, since libraries of this format write to files, and the codec process may write none.
#include "io/codecs/formats.hpp"
#include "io/codecs/nrrd_header.hpp"
#include "io/codecs/stored_values.hpp"
#include "io/error.hpp"
#include "io/source_type.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <zlib.h>

namespace warplens::io::codecs {
namespace {

/// As the format's own examples name a type.
const char* nameOfSaved(std::string_view type) {
    return type == "u8"    ? "uchar"
           : type == "i16" ? "short"
           : type == "u16" ? "ushort"
           : type == "u32" ? "uint"
           : type == "i32" ? "int"
                           : "float";
}

std::string headerOf(const Grid& grid, bool compress) {
    const auto& s = grid.shape();
    const bool colour = s.channels > 1;
    const auto& g = grid.geometry;
    const auto vectors = nrrdVectors(g);
    std::string text = "NRRD0005\n";
    text += std::string("type: ") + nameOfSaved(savedType(grid));
    text += std::string("\ndimension: ") + (colour ? "4" : "3") + "\nspace: left-posterior-superior\nsizes:";
    if (colour) text += " " + std::to_string(s.channels);
    for (const auto extent : {s.width, s.height, s.depth}) text += " " + std::to_string(extent);
    text += std::string("\nspace directions: ") + (colour ? "none " : "") + vectors[0] + " " + vectors[1] + " " +
            vectors[2];
    text += std::string("\nkinds: ") +
            (s.channels == 3   ? "RGB-color "
             : s.channels == 4 ? "RGBA-color "
                               : "") +
            "domain domain domain";
    text += std::string("\nendian: little\nencoding: ") + (compress ? "gzip" : "raw") + "\nspace origin: " + vectors[3];
    text += std::string("\n") + kNrrdGeometryKey + ":=";
    for (const auto v : g.spacing) text += formatNumber(v) + " ";
    for (const auto v : g.origin) text += formatNumber(v) + " ";
    for (const auto v : g.direction) text += formatNumber(v) + " ";
    text.back() = '\n';
    return text + "\n";
}

/// A gzip stream that grows as bytes are put in.
class Gzip {
public:
    Gzip(std::vector<std::byte>& out, const std::string& where) : m_out(out), m_where(where) {
        // Level 4: half the time of the usual 6 for a few percent of size.
        check(::deflateInit2(&m_stream, 4, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    }
    ~Gzip() { ::deflateEnd(&m_stream); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;

    void put(std::span<const std::byte> bytes) {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
        m_stream.avail_in = static_cast<uInt>(bytes.size());
        do {
            run(Z_NO_FLUSH);
        } while (m_stream.avail_in > 0);
    }
    void finish() {
        while (run(Z_FINISH) != Z_STREAM_END) {
        }
    }

private:
    void check(bool fine) const {
        if (!fine) throw Error(Error::Kind::unwritable, m_where + ": zlib gave up: write .npy instead");
    }
    int run(int flush) {
        m_stream.next_out = reinterpret_cast<Bytef*>(m_buffer.data());
        m_stream.avail_out = static_cast<uInt>(m_buffer.size());
        const int state = ::deflate(&m_stream, flush);
        check(state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR);
        m_out.insert(m_out.end(), m_buffer.begin(), m_buffer.end() - m_stream.avail_out);
        return state;
    }

    std::vector<std::byte>& m_out;
    const std::string& m_where;
    z_stream m_stream{};
    std::array<std::byte, 1 << 16> m_buffer{};
};

}  // namespace

std::vector<std::byte> encodeNrrd(const Grid& grid, const std::string& where, const EncodeOptions& options) {
    const bool narrow = savesAsI16(grid);
    const auto header = headerOf(grid, options.compress);
    const auto text = std::as_bytes(std::span(header));
    std::vector<std::byte> file(text.begin(), text.end());
    if (options.compress) {
        Gzip gzip(file, where);
        eachStoredPiece(grid, narrow, [&](std::span<const std::byte> piece) { gzip.put(piece); });
        gzip.finish();
    } else {
        file.reserve(file.size() + grid.bytes());
        eachStoredPiece(grid, narrow,
                        [&](std::span<const std::byte> piece) { file.insert(file.end(), piece.begin(), piece.end()); });
    }
    return file;
}

}  // namespace warplens::io::codecs
