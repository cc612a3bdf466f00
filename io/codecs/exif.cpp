// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/exif.hpp"

#include "io/codecs/common.hpp"

#include <cstring>

namespace warplens::io::codecs {

int exifOrientation(std::span<const std::byte> segment) {
    constexpr std::size_t kName = 6;
    if (segment.size() < kName || std::memcmp(segment.data(), "Exif\0\0", kName) != 0) return 1;
    return tiffOrientation(segment.subspan(kName));
}

int tiffOrientation(std::span<const std::byte> tiff) {
    constexpr std::size_t kEntry = 12;
    constexpr std::uint32_t kOrientation = 0x0112;
    constexpr std::uint32_t kShort = 3;
    if (tiff.size() < 8) return 1;
    const bool little = std::memcmp(tiff.data(), "II*\0", 4) == 0;
    if (!little && std::memcmp(tiff.data(), "MM\0*", 4) != 0) return 1;
    const auto number = [&](std::size_t at, std::size_t size) {
        return little ? littleEndian(tiff, at, size) : bigEndian(tiff, at, size);
    };
    const std::size_t directory = number(4, 4);
    if (directory > tiff.size() - 2 || tiff.size() < 2) return 1;
    const auto entries = number(directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const auto at = directory + 2 + i * kEntry;
        if (at + kEntry > tiff.size()) return 1;
        if (number(at, 2) != kOrientation || number(at + 2, 2) != kShort) continue;
        const auto value = number(at + 8, 2);
        return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
    }
    return 1;
}

}  // namespace warplens::io::codecs
