// SPDX-License-Identifier: Apache-2.0
#include "gpu/render/pyramid.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace warplens::gpu::render {

namespace {

constexpr std::int64_t kSmallEnough = 256;

template <class T>
T mean(T a, T b, T c, T d) {
    if constexpr (std::is_floating_point_v<T>) {
        // Scaled before adding: four values near the largest float must not overflow.
        return (a * 0.25F + b * 0.25F) + (c * 0.25F + d * 0.25F);
    } else if constexpr (sizeof(T) == 4) {
        return static_cast<T>((std::int64_t{a} + b + c + d + 2) >> 2);
    } else {
        return static_cast<T>((static_cast<unsigned>(a) + b + c + d + 2U) / 4U);
    }
}

/// One row of two. The number of channels is the compiler's: this is a tenth of what a picture costs while it moves.
template <class T, int kChannels>
void halveRow(T* out, const T* upper, const T* lower, std::int64_t width) {
    for (std::int64_t x = 0; x < (width + 1) / 2; ++x) {
        const std::int64_t left = 2 * x * kChannels, right = std::min(2 * x + 1, width - 1) * kChannels;
        for (int c = 0; c < kChannels; ++c)
            *out++ = mean(upper[left + c], upper[right + c], lower[left + c], lower[right + c]);
    }
}

template <class T, int kChannels>
void halveRows(io::Grid& to, const io::Grid& from, std::int64_t slice, std::int64_t first, std::int64_t rows) {
    for (std::int64_t y = 0; y < to.shape().height; ++y) {
        const std::int64_t upper = first + 2 * y, lower = first + std::min(2 * y + 1, rows - 1);
        halveRow<T, kChannels>(to.as<T>() + to.index(0, y, 0), from.as<T>() + from.index(0, upper, slice),
                               from.as<T>() + from.index(0, lower, slice), from.shape().width);
    }
}

}  // namespace

io::Grid halved(const io::Grid& grid, std::int64_t slice) { return halved(grid, slice, 0, grid.shape().height); }

io::Grid halved(const io::Grid& grid, std::int64_t slice, std::int64_t first, std::int64_t rows) {
    const auto& shape = grid.shape();
    io::Grid half({(shape.width + 1) / 2, (rows + 1) / 2, 1, shape.channels}, grid.type());
    io::withType(grid.type(), [&]<class T>(T) {
        const auto halve = shape.channels == 1   ? halveRows<T, 1>
                           : shape.channels == 3 ? halveRows<T, 3>
                                                 : halveRows<T, 4>;
        halve(half, grid, slice, first, rows);
    });
    return half;
}

std::size_t levelCount(const io::Shape& shape) {
    std::size_t levels = 0;
    for (std::int64_t w = shape.width, h = shape.height; w > kSmallEnough || h > kSmallEnough; ++levels) {
        w = (w + 1) / 2;
        h = (h + 1) / 2;
    }
    return levels;
}

std::shared_ptr<const Pyramid> makePyramid(const io::Grid& grid, std::int64_t slice, std::stop_token stop) {
    auto pyramid = std::make_shared<Pyramid>();
    const io::Grid* last = &grid;
    while (last->shape().width > kSmallEnough || last->shape().height > kSmallEnough) {
        if (stop.stop_requested()) return std::make_shared<Pyramid>();
        io::Grid next = halved(*last, last == &grid ? slice : 0);
        pyramid->levels.push_back(std::move(next));
        last = &pyramid->levels.back();
    }
    return pyramid;
}

}  // namespace warplens::gpu::render
