// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/stb.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kFileHeader = 14;
constexpr std::uint32_t kV4Header = 108;
constexpr std::uint32_t kRle8 = 1, kRle4 = 2, kBitFields = 3;

bool contiguous(std::uint32_t mask) {
    const auto shifted = mask >> (mask == 0 ? 0 : std::countr_zero(mask));
    return (shifted & (shifted + 1)) == 0;
}

/// What the header says, whichever of its eight versions it is.
struct Header {
    std::uint32_t bytes = 0;
    std::int32_t width = 0, height = 0;  ///< a height below 0: from the top down
    std::uint32_t bits = 0, compression = 0;
    std::array<std::uint32_t, 4> masks{};  ///< of red, green, blue and alpha, where compression is kBitFields
    std::size_t palette = 0, entries = 0, entryBytes = 0;
    std::size_t pixels = 0;
    double perMetreX = 0, perMetreY = 0;  ///< 0: not said

    bool runs() const { return compression == kRle8 || compression == kRle4; }
};

class Parser {
public:
    Parser(Bytes file, const std::string& where) : m_file(file), m_where(where) {}

    Header parse() {
        if (m_file.size() < kFileHeader + 12) fail("the file ends too early");
        h.pixels = number(10, 4);
        h.bytes = number(14, 4);
        // OS/2 1 and 2 (which may be cut short), Windows 3, the same with masks in it, 4 and 5.
        constexpr std::array<std::uint32_t, 8> kVersions{12, 16, 40, 52, 56, 64, 108, 124};
        if (std::find(kVersions.begin(), kVersions.end(), h.bytes) == kVersions.end()) {
            unsupported(m_where, "a BMP with a header of " + std::to_string(h.bytes) + " bytes",
                        "save it as PNG, or as BMP of Windows 3 or later");
        }
        if (m_file.size() < kFileHeader + h.bytes) fail("the file ends too early");
        readFields();
        if (h.width <= 0 || h.height == 0 || h.height == std::numeric_limits<std::int32_t>::min())
            fail("an empty picture");
        checkCompression();
        constexpr std::array<std::uint32_t, 6> kBits{1, 4, 8, 16, 24, 32};
        if (std::find(kBits.begin(), kBits.end(), h.bits) == kBits.end()) fail("an unknown depth");
        const auto before = kFileHeader + h.bytes + readMasks();
        if (h.pixels < before || h.pixels > m_file.size()) fail("the picture's place lies outside the file");
        readPalette(before);
        if (h.runs()) return h;
        const auto row = (std::int64_t{h.width} * h.bits + 31) / 32 * 4;
        const auto rows = h.height < 0 ? -std::int64_t{h.height} : h.height;
        if (row > static_cast<std::int64_t>(m_file.size() - h.pixels) / rows)
            fail("the file is too short for its picture");
        return h;
    }

private:
    [[noreturn]] void fail(const char* detail) const { damaged(m_where, "BMP", detail); }
    std::uint32_t number(std::size_t at, std::size_t size) const { return littleEndian(m_file, at, size); }

    void readFields() {
        const bool old = h.bytes == 12;
        h.width = static_cast<std::int32_t>(number(18, old ? 2 : 4));
        h.height = static_cast<std::int32_t>(old ? number(20, 2) : number(22, 4));
        h.bits = number(old ? 24 : 28, 2);
        if (h.bytes < 40) return;
        h.compression = number(30, 4);
        h.perMetreX = static_cast<std::int32_t>(number(38, 4));
        h.perMetreY = static_cast<std::int32_t>(number(42, 4));
    }

    /// In OS/2 two of the numbers mean something else.
    void checkCompression() {
        constexpr std::uint32_t kAlphaBitFields = 6;
        const char* kind = nullptr;
        switch (h.compression) {
            case 0: break;
            case kRle8:
            case kRle4:
                if (h.bits != (h.compression == kRle8 ? 8U : 4U)) fail("run lengths of another depth");
                if (h.height < 0) fail("run lengths from the top down");
                break;
            case kBitFields: kind = h.bytes == 64 ? "a BMP with fax compression (OS/2)" : nullptr; break;
            case 4: kind = h.bytes == 64 ? "a run-length encoded BMP (RLE24)" : "a JPEG inside of a BMP"; break;
            case 5: kind = "a PNG inside of a BMP"; break;
            case kAlphaBitFields: break;
            default: kind = "a BMP of an unknown compression";
        }
        if (kind != nullptr) unsupported(m_where, kind, "save it as uncompressed BMP or as PNG");
        m_alphaMask = h.compression == kAlphaBitFields;
        if (m_alphaMask) h.compression = kBitFields;
    }

    /// Returns how many bytes of masks follow the header.
    std::size_t readMasks() {
        if (h.compression != kBitFields) return 0;
        if (h.bits != 16 && h.bits != 32) fail("bit masks for a palette");
        // They are where version 4 has them, within the header or behind it.
        constexpr std::size_t kMasks = 54;
        const std::size_t count = m_alphaMask || h.bytes >= 56 ? 4 : 3;
        if (m_file.size() < kMasks + 4 * count) fail("the file ends too early");
        for (std::size_t i = 0; i < count; ++i) {
            const auto mask = h.masks[i] = number(kMasks + 4 * i, 4);
            if ((mask == 0 && i < 3) || !contiguous(mask)) fail("unusable bit masks");
            if (std::popcount(mask) > 8) {
                unsupported(m_where, "a BMP with " + std::to_string(std::popcount(mask)) + " bits of one colour",
                            "save it as PNG or TIFF of 16 bits");
            }
        }
        const auto end = kMasks + 4 * count;
        return end > kFileHeader + h.bytes ? end - kFileHeader - h.bytes : 0;
    }

    void readPalette(std::size_t begin) {
        if (h.bits > 8) return;
        h.palette = begin;
        h.entryBytes = h.bytes == 12 ? 3 : 4;
        h.entries = std::min((h.pixels - begin) / h.entryBytes, std::size_t{1} << h.bits);
        if (h.entries < 1) fail("a palette of an impossible size");
    }

    Bytes m_file;
    const std::string& m_where;
    bool m_alphaMask = false;
    Header h;
};

/// Run lengths as rows of a byte a pixel, from the bottom up; what they leave out is the palette's first colour.
class Runs {
public:
    Runs(Bytes file, const Header& h, const std::string& where)
        : m_file(file),
          m_width(static_cast<std::size_t>(h.width)),
          m_height(static_cast<std::size_t>(h.height)),
          m_nibbles(h.compression == kRle4),
          m_at(h.pixels),
          m_where(where),
          m_rows((m_width + 3) / 4 * 4 * m_height) {}

    std::vector<std::byte> rows() {
        while (true) {
            const auto count = next(), value = next();
            if (count > 0) {
                for (std::size_t i = 0; i < count; ++i) put(m_nibbles ? nibble(value, i) : value);
            } else if (value == kEndOfRow) {
                m_x = 0;
                ++m_y;
            } else if (value == kEnd) {
                return std::move(m_rows);
            } else if (value == kMove) {
                m_x += next();
                m_y += next();
            } else {
                takeLiterals(value);
            }
        }
    }

private:
    static constexpr unsigned kEndOfRow = 0, kEnd = 1, kMove = 2;
    static unsigned nibble(unsigned pair, std::size_t i) { return i % 2 == 0 ? pair >> 4 : pair & 15; }

    /// In whole words of two bytes.
    void takeLiterals(unsigned count) {
        const std::size_t bytes = m_nibbles ? (count + 1) / 2 : count;
        for (std::size_t i = 0, pair = 0; i < count; ++i) {
            if (!m_nibbles || i % 2 == 0) pair = next();
            put(m_nibbles ? nibble(static_cast<unsigned>(pair), i) : static_cast<unsigned>(pair));
        }
        if (bytes % 2 != 0) next();
    }
    unsigned next() {
        if (m_at >= m_file.size()) damaged(m_where, "BMP", "the file ends too early");
        return std::to_integer<unsigned>(m_file[m_at++]);
    }
    void put(unsigned value) {
        if (m_x >= m_width || m_y >= m_height) damaged(m_where, "BMP", "a run reaches beyond its row");
        m_rows[m_y * ((m_width + 3) / 4 * 4) + m_x++] = static_cast<std::byte>(value);
    }

    Bytes m_file;
    std::size_t m_width, m_height;
    bool m_nibbles;
    std::size_t m_at, m_x = 0, m_y = 0;
    const std::string& m_where;
    std::vector<std::byte> m_rows;
};

/// The same header and values without run lengths.
std::vector<std::byte> expand(Bytes file, Header& h, const Limits& limits, const std::string& where) {
    // A pair of bytes is at most this many pixels; what leaves more out is no picture.
    constexpr std::int64_t kMostPixelsAByte = 128;
    const Shape shape{h.width, h.height, 1, 1};
    limits.check(shape, PixelType::u8, where);
    if (shape.pixels() / kMostPixelsAByte > static_cast<std::int64_t>(file.size()))
        damaged(where, "BMP", "the file is too short for its picture");
    auto rows = Runs(file, h, where).rows();
    h.bits = 8;
    h.compression = 0;
    return rows;
}

/// The file with a header of version 4 and a whole palette: stb_image misplaces those of OS/2 and does not know others.
std::vector<std::byte> normalised(Bytes file, const Header& h, Bytes pixels) {
    const std::size_t palette = h.bits > 8 ? 0 : std::size_t{4} << h.bits;
    std::vector<std::byte> out(kFileHeader + kV4Header + palette);
    const auto put = [&](std::size_t at, std::uint32_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) out[at + i] = static_cast<std::byte>(value >> (8 * i));
    };
    out[0] = std::byte{'B'};
    out[1] = std::byte{'M'};
    put(10, static_cast<std::uint32_t>(out.size()), 4);
    put(14, kV4Header, 4);
    put(18, static_cast<std::uint32_t>(h.width), 4);
    put(22, static_cast<std::uint32_t>(h.height), 4);
    put(26, 1, 2);
    put(28, h.bits, 2);
    put(30, h.compression, 4);
    for (std::size_t i = 0; i < h.masks.size(); ++i) put(54 + 4 * i, h.masks[i], 4);
    for (std::size_t i = 0; i < h.entries; ++i) {
        std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(h.palette + i * h.entryBytes), 3,
                    out.begin() + static_cast<std::ptrdiff_t>(kFileHeader + kV4Header + 4 * i));
    }
    out.insert(out.end(), pixels.begin(), pixels.end());
    return out;
}

/// Of 32 bits without masks the fourth byte is unused; whether something lies in it all the same.
bool leaveOutFourth(Header& h, Bytes pixels) {
    h.compression = kBitFields;
    h.masks = {0xff0000, 0xff00, 0xff, 0};
    for (std::size_t at = 3; at < pixels.size(); at += 4) {
        if (pixels[at] != pixels[3]) return true;
    }
    return false;
}

bool allGrey(const Grid& grid) {
    const auto* values = grid.as<std::uint8_t>();
    const auto step = static_cast<std::size_t>(grid.shape().channels);
    for (std::size_t i = 0; i < grid.bytes(); i += step) {
        if (values[i] != values[i + 1] || values[i] != values[i + 2]) return false;
    }
    return true;
}

}  // namespace

bool isBmp(Bytes head) {
    // The two letters alone begin many a text.
    return head.size() >= 18 && head[0] == std::byte{'B'} && head[1] == std::byte{'M'} && littleEndian(head, 6, 4) == 0;
}

Grid decodeBmp(Bytes file, const Limits& limits, const std::string& where) {
    auto header = Parser(file, where).parse();
    std::vector<std::byte> expanded;
    if (header.runs()) expanded = expand(file, header, limits, where);
    const Bytes pixels = expanded.empty() ? file.subspan(header.pixels) : expanded;
    const bool more = header.bits == 32 && header.compression == 0 && leaveOutFourth(header, pixels);
    auto grid = decodeWithStb(normalised(file, header, pixels), limits, where, {"BMP", 8, false});
    if (more)
        grid.metadata.notes.emplace_back("the fourth byte of a pixel, unused in a BMP of this kind, was not read");
    // Pixels in a metre.
    setResolution(grid, header.perMetreX * 0.0254, header.perMetreY * 0.0254);
    if (header.bits > 8) return grid;
    if (grid.shape().channels != 3 || !allGrey(grid)) {
        grid.metadata.notes.emplace_back("palette was read as RGB");
        return grid;
    }
    // A grey picture is one with a grey palette: the format has no other.
    Grid grey({grid.shape().width, grid.shape().height, 1, 1}, PixelType::u8);
    for (std::size_t i = 0; i < grey.bytes(); ++i) grey.data()[i] = grid.data()[3 * i];
    grey.geometry = grid.geometry;
    grey.metadata = std::move(grid.metadata);
    return grey;
}

}  // namespace warplens::io::codecs
