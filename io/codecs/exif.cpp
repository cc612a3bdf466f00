// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/exif.hpp"

#include "io/codecs/common.hpp"

#include <cstdint>
#include <cstring>
#include <optional>

namespace warplens::io::codecs {

namespace {

bool isLittle(std::span<const std::byte> tiff) { return std::memcmp(tiff.data(), "II*\0", 4) == 0; }

std::uint64_t number(std::span<const std::byte> tiff, std::size_t at, std::size_t size) {
    return isLittle(tiff) ? littleEndian(tiff, at, size) : bigEndian(tiff, at, size);
}

/// Where the orientation's two bytes stand; nothing where there are none.
std::optional<std::size_t> orientationPlace(std::span<const std::byte> tiff) {
    constexpr std::size_t kEntry = 12;
    constexpr std::uint32_t kOrientation = 0x0112;
    constexpr std::uint32_t kTypeShort = 3;
    if (tiff.size() < 8 || (!isLittle(tiff) && std::memcmp(tiff.data(), "MM\0*", 4) != 0)) return {};
    const std::size_t directory = number(tiff, 4, 4);
    if (directory > tiff.size() - 2) return {};
    const auto entries = number(tiff, directory, 2);
    for (std::size_t i = 0; i < entries; ++i) {
        const auto at = directory + 2 + i * kEntry;
        if (at + kEntry > tiff.size()) return {};
        if (number(tiff, at, 2) == kOrientation && number(tiff, at + 2, 2) == kTypeShort) return at + 8;
    }
    return {};
}

}  // namespace

int exifOrientation(std::span<const std::byte> segment) {
    constexpr std::size_t kName = 6;
    if (segment.size() < kName || std::memcmp(segment.data(), "Exif\0\0", kName) != 0) return 1;
    return tiffOrientation(segment.subspan(kName));
}

int tiffOrientation(std::span<const std::byte> tiff) {
    const auto at = orientationPlace(tiff);
    const auto value = at ? number(tiff, *at, 2) : 1;
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

std::vector<std::byte> uprightTiff(std::span<const std::byte> tiff) {
    std::vector<std::byte> upright(tiff.begin(), tiff.end());
    if (const auto at = orientationPlace(tiff)) {
        upright[*at] = std::byte{isLittle(tiff)};
        upright[*at + 1] = std::byte{!isLittle(tiff)};
    }
    return upright;
}

}  // namespace warplens::io::codecs
