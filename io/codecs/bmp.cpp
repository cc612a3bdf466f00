// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/stb.hpp"

#include <bit>
#include <limits>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kFileHeader = 14;

bool contiguous(std::uint32_t mask) {
    const auto shifted = mask >> (mask == 0 ? 0 : std::countr_zero(mask));
    return (shifted & (shifted + 1)) == 0;
}

/// stb_image trusts these fields, so each is checked before it sees the file. Returns the bits of a pixel.
std::uint32_t checkHeader(Bytes file, const std::string& where) {
    const auto fail = [&](const char* detail) { damaged(where, "BMP", detail); };
    if (file.size() < kFileHeader + 12) fail("the file ends too early");
    const std::size_t offset = littleEndian(file, 10, 4);
    const std::size_t header = littleEndian(file, 14, 4);
    if (header != 12 && header != 40 && header != 56 && header != 108 && header != 124) fail("an unknown header");
    if (file.size() < kFileHeader + header) fail("the file ends too early");
    const bool old = header == 12;
    const auto width = static_cast<std::int32_t>(littleEndian(file, 18, old ? 2 : 4));
    const auto height = static_cast<std::int32_t>(old ? littleEndian(file, 20, 2) : littleEndian(file, 22, 4));
    const auto bits = littleEndian(file, old ? 24 : 28, 2);
    const auto compression = old ? 0 : littleEndian(file, 30, 4);
    if (width <= 0 || height == 0 || height == std::numeric_limits<std::int32_t>::min()) fail("an empty picture");
    if (compression != 0 && compression != 3) {
        unsupported(where, "a compressed BMP", "save it as uncompressed BMP or as PNG");
    }
    if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) fail("an unknown depth");
    if (compression == 3 && bits != 16 && bits != 32) fail("bit masks for a palette");
    // 40 and 56 byte headers are followed by their masks.
    const std::size_t masks = compression == 3 && header < 108 ? 12 : 0;
    const auto before = kFileHeader + header + masks;
    if (offset < before || offset > file.size()) fail("the picture's place lies outside the file");
    if (compression == 3) {
        const auto first = header == 40 ? kFileHeader + header : header == 56 ? kFileHeader + header : std::size_t{54};
        if (file.size() < first + 12) fail("the file ends too early");
        for (std::size_t i = 0; i < 3; ++i) {
            const auto mask = littleEndian(file, first + 4 * i, 4);
            if (mask == 0 || !contiguous(mask) || std::popcount(mask) > 8) fail("unusable bit masks");
        }
    }
    if (bits < 16) {
        const auto entries = (offset - before) / (old ? 3 : 4);
        if (entries < 1 || entries > 256) fail("a palette of an impossible size");
    }
    const auto row = (static_cast<std::int64_t>(width) * bits + 31) / 32 * 4;
    const auto rows = height < 0 ? -static_cast<std::int64_t>(height) : height;
    if (row > static_cast<std::int64_t>(file.size() - offset) / rows) fail("the file is too short for its picture");
    return bits;
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
    const auto bits = checkHeader(file, where);
    auto grid = decodeWithStb(file, limits, where, {"BMP", 8, false});
    if (bits > 8) return grid;
    if (grid.shape().channels != 3 || !allGrey(grid)) {
        grid.metadata.notes.emplace_back("palette was read as RGB");
        return grid;
    }
    // A grey picture is one with a grey palette: the format has no other.
    Grid grey({grid.shape().width, grid.shape().height, 1, 1}, PixelType::u8);
    for (std::size_t i = 0; i < grey.bytes(); ++i) grey.data()[i] = grid.data()[3 * i];
    return grey;
}

}  // namespace warplens::io::codecs
