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
constexpr std::uint32_t kBitFields = 3;

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
            case 1: kind = "a run-length encoded BMP (RLE8)"; break;
            case 2: kind = "a run-length encoded BMP (RLE4)"; break;
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

/// The file with a header of version 4 and a whole palette: stb_image misplaces those of OS/2 and does not know others.
std::vector<std::byte> normalised(Bytes file, const Header& h) {
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
    out.insert(out.end(), file.begin() + static_cast<std::ptrdiff_t>(h.pixels), file.end());
    return out;
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
    const auto header = Parser(file, where).parse();
    auto grid = decodeWithStb(normalised(file, header), limits, where, {"BMP", 8, false});
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
