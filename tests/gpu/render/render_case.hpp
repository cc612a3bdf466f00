// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/renderers.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace warplens::gpu::render::test {

std::shared_ptr<io::Grid> volumeOf(const io::Shape& shape, io::PixelType type, auto value) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c) grid->setValue(x, y, z, c, value(x, y, z));
    return grid;
}

/// A reproducible value without pattern, 0..1.
inline double noise(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto h = static_cast<std::uint64_t>(x + 977 * y + 7919 * z + 1) * 0x9e3779b97f4a7c15ULL;
    return static_cast<double>(h >> 40U) / static_cast<double>(1U << 24U);
}

/// Colours that give the table's entry back, so that a pixel can be read as a value.
inline Transfer readable(double low, double high) {
    Transfer t{low, high, {}, {}};
    for (std::uint32_t i = 0; i < kTableSize; ++i) t.colours.push_back(0xff000000U | i);
    return t;
}

inline double valueIn(std::uint32_t pixel, const Transfer& t) {
    return t.low + (t.high - t.low) * (pixel & 0xffffffU) / (kTableSize - 1);
}

/// One pixel a mm, pixel i over voxel i when `width` is the extent.
inline FrameRequest oneToOne(const io::Grid& grid, double yaw, double pitch, int width, int height) {
    FrameRequest request;
    const auto s = drawnSpacing(grid.geometry);
    const double diagonal =
        std::hypot(static_cast<double>(grid.shape().width) * s[0], static_cast<double>(grid.shape().height) * s[1],
                   static_cast<double>(grid.shape().depth) * s[2]);
    request.view = {.yaw = yaw, .pitch = pitch, .zoom = diagonal / std::min(width, height)};
    request.width = width;
    request.height = height;
    return request;
}

inline Frame drawn(Renderer& renderer, std::shared_ptr<const io::Grid> volume, const FrameRequest& request) {
    renderer.setVolume(std::move(volume));
    return renderer.render(request);
}

inline std::uint32_t at(const Frame& frame, int x, int y) {
    return frame.pixels[static_cast<std::size_t>(y) * frame.width + x];
}

}  // namespace warplens::gpu::render::test
