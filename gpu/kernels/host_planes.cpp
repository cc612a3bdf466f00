// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/host_planes.hpp"

#include <cstring>

namespace warplens::gpu {
namespace {

/// Calls f(value's place in the planes, value's place in the picture) for every value of the first channels.
template <class F>
void eachPlace(const io::Shape& shape, int channels, F f) {
    const auto pixels = static_cast<std::size_t>(shape.pixels()), stride = static_cast<std::size_t>(shape.channels);
    for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
        for (std::size_t i = 0; i < pixels; ++i) f(c * pixels + i, i * stride + c);
}

}  // namespace

std::vector<std::byte> planesOf(const io::Grid& grid) {
    std::vector<std::byte> planes(grid.bytes());
    const std::size_t size = io::sizeOf(grid.type());
    eachPlace(grid.shape(), grid.shape().channels, [&](std::size_t plane, std::size_t value) {
        std::memcpy(planes.data() + plane * size, grid.data() + value * size, size);
    });
    return planes;
}

void fillFromPlanes(const std::vector<std::byte>& planes, int channels, io::Grid& grid) {
    const std::size_t size = io::sizeOf(grid.type());
    eachPlace(grid.shape(), channels, [&](std::size_t plane, std::size_t value) {
        std::memcpy(grid.data() + value * size, planes.data() + plane * size, size);
    });
}

void copyChannels(const io::Grid& from, int first, io::Grid& to) {
    const io::Shape& s = from.shape();
    if (first >= s.channels) return;
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = first; c < s.channels; ++c) to.setValue(x, y, z, c, from.value(x, y, z, c));
}

}  // namespace warplens::gpu
