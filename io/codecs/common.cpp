// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"

#include "io/codec_protocol.hpp"
#include "io/in_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sys/resource.h>
#include <utility>

namespace warplens::io::codecs {

const char* const kGreyAlphaNote = "grey with alpha was read as RGBA";

std::string outOfMemory() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return "it takes more memory than there is: close other programs";
    return "it takes more than the " + std::to_string(limit.rlim_cur >> 20) +
           " MiB of memory that Warplens allows for a picture of its size, or than there is: close other programs; if "
           "that does not help, please report it";
}

void damaged(const std::string& where, const char* title, const std::string& detail) {
    // What a library says when it was refused memory, which is the doing of a limit and not of the file.
    for (const char* words : {"nsufficient memory", "ut of memory", "o space for", "ailed to allocate"}) {
        if (detail.find(words) != std::string::npos) throw Error(Error::Kind::limit, where + ": " + outOfMemory());
    }
    throw Error(Error::Kind::unreadable, where + ": damaged " + title + " (" + protocol::oneLine(detail, 200) +
                                             "): it is truncated or corrupt, get another copy");
}

void unsupported(const std::string& where, const std::string& what, const std::string& remedy) {
    throw Error(Error::Kind::unsupported, where + ": " + protocol::oneLine(what, 300) + ": " + remedy);
}

bool startsWith(std::span<const std::byte> bytes, std::span<const unsigned char> signature) {
    return bytes.size() >= signature.size() && std::memcmp(bytes.data(), signature.data(), signature.size()) == 0;
}

std::uint32_t littleEndian(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

std::uint32_t bigEndian(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

namespace {

constexpr double kMmPerInch = 25.4;

bool isLength(double value) { return std::isfinite(value) && value > 1e-30 && value < 1e30; }

}  // namespace

void setResolution(Grid& grid, double dpiX, double dpiY) {
    if (!isLength(dpiX) || !isLength(dpiY)) return;
    grid.metadata.dpi = {dpiX, dpiY};
    grid.geometry.spacing[0] = kMmPerInch / dpiX;
    grid.geometry.spacing[1] = kMmPerInch / dpiY;
}

void setPixelSize(Grid& grid, double mmX, double mmY) {
    if (!isLength(mmX) || !isLength(mmY)) return;
    grid.metadata.dpi.reset();
    grid.geometry.spacing[0] = mmX;
    grid.geometry.spacing[1] = mmY;
}

std::optional<std::array<double, 2>> resolutionOf(const Grid& grid) {
    if (grid.metadata.dpi || !hasGeometry(grid.geometry)) return grid.metadata.dpi;
    const auto& mm = grid.geometry.spacing;
    if (!isLength(mm[0]) || !isLength(mm[1])) return std::nullopt;
    return std::array{kMmPerInch / mm[0], kMmPerInch / mm[1]};
}

Grid upright(Grid grid, int orientation) {
    if (orientation < 2 || orientation > 8) return grid;
    const auto s = grid.shape();
    const bool swapped = orientation >= 5;
    Grid turned({swapped ? s.height : s.width, swapped ? s.width : s.height, 1, s.channels}, grid.type());
    const bool flipX = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool flipY = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const auto size = static_cast<std::size_t>(s.channels) * sizeOf(grid.type());
    const auto* from = grid.data();
    auto* to = turned.data();
    for (std::int64_t y = 0; y < turned.shape().height; ++y) {
        for (std::int64_t x = 0; x < turned.shape().width; ++x, to += size) {
            // Where in the stored picture this pixel comes from.
            auto sx = swapped ? y : x;
            auto sy = swapped ? x : y;
            if (flipX) sx = s.width - 1 - sx;
            if (flipY) sy = s.height - 1 - sy;
            std::memcpy(to, from + static_cast<std::size_t>(sy * s.width + sx) * size, size);
        }
    }
    turned.geometry = grid.geometry;
    turned.metadata = std::move(grid.metadata);
    if (swapped) std::swap(turned.geometry.spacing[0], turned.geometry.spacing[1]);
    if (swapped && turned.metadata.dpi) std::swap((*turned.metadata.dpi)[0], (*turned.metadata.dpi)[1]);
    turned.metadata.notes.push_back("turned upright, as its orientation tag says");
    return turned;
}

}  // namespace warplens::io::codecs
