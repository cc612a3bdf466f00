// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/stb.hpp"

#include <algorithm>

namespace warplens::io::codecs {
namespace {

constexpr std::size_t kHeader = 18;

struct Header {
    std::uint32_t idBytes, paletted, kind, paletteStart, paletteEntries, paletteBits, width, height, bits, descriptor;
};

Header headerOf(Bytes file) {
    const auto at = [&](std::size_t offset, std::size_t size) { return littleEndian(file, offset, size); };
    return {at(0, 1), at(1, 1), at(2, 1), at(3, 2), at(5, 2), at(7, 1), at(12, 2), at(14, 2), at(16, 1), at(17, 1)};
}

bool oneOf(std::uint32_t value, std::initializer_list<std::uint32_t> choices) {
    return std::find(choices.begin(), choices.end(), value) != choices.end();
}

/// The right half of the flags of `descriptor`: pixels may run from right to left, which stb_image ignores.
void mirror(Grid& grid) {
    const auto size = static_cast<std::size_t>(grid.shape().channels);
    const auto row = grid.bytes() / static_cast<std::size_t>(grid.shape().height);
    for (auto* left = grid.data(); left != grid.data() + grid.bytes(); left += row) {
        for (std::size_t a = 0, b = row - size; a < b; a += size, b -= size) {
            std::swap_ranges(left + a, left + a + size, left + b);
        }
    }
}

}  // namespace

bool isTga(Bytes head) {
    if (head.size() < kHeader) return false;
    const auto h = headerOf(head);
    const bool palette = h.paletted == 1 && oneOf(h.kind, {1, 9}) && oneOf(h.paletteBits, {15, 16, 24, 32}) &&
                         h.paletteEntries > 0 && oneOf(h.bits, {8, 16});
    const bool colour = h.paletted == 0 && oneOf(h.kind, {2, 10}) && oneOf(h.bits, {15, 16, 24, 32});
    const bool grey = h.paletted == 0 && oneOf(h.kind, {3, 11}) && oneOf(h.bits, {8, 16});
    return (palette || colour || grey) && h.width > 0 && h.height > 0 && (h.descriptor & 0xc0) == 0;
}

Grid decodeTga(Bytes file, const Limits& limits, const std::string& where) {
    const auto h = headerOf(file);
    if (h.paletted == 1 && h.paletteStart != 0) {
        unsupported(where, "a TGA palette that does not start at 0", "save it without a palette");
    }
    const auto pixelBytes = (h.bits + 7) / 8;
    const auto before = kHeader + h.idBytes + (h.paletted == 1 ? h.paletteEntries * ((h.paletteBits + 7) / 8) : 0);
    const auto pixels = static_cast<std::int64_t>(h.width) * h.height;
    // A run of 128 pixels takes a count and one pixel.
    const auto least = h.kind >= 9 ? pixels / 128 * (1 + pixelBytes) : pixels * pixelBytes;
    if (static_cast<std::int64_t>(file.size()) - static_cast<std::int64_t>(before) < least) {
        damaged(where, "TGA", "the file is too short for its picture");
    }
    auto grid = decodeWithStb(file, limits, where, {"TGA", 128, false});
    if ((h.descriptor & 0x10) != 0) mirror(grid);
    if (h.paletted == 1) grid.metadata.notes.emplace_back("palette was read as RGB");
    return grid;
}

}  // namespace warplens::io::codecs
