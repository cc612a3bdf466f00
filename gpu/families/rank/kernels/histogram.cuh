// SPDX-License-Identifier: Apache-2.0
// Idea: a thread keeps the histogram of its window and marches down: a row of values leaves it, a row enters.
// Changed from selection: a step costs 2 (2 radius + 1) counts and the walk from the last result to the next.
// Needs: squares of bytes; any percentile and border.
// Block: block_width threads, 512 bytes of shared memory each: 256 counts of 16 bits, bins of a thread in one bank.
// Source: Huang, Yang and Tang, IEEE Trans. ASSP 27, 1979; a histogram a thread in shared memory our own.
// Look at: work grows with the radius, not with its square; small windows pay for the first one and few threads fit.
#pragma once

#include "gpu/families/rank/counts.cuh"
#include "gpu/families/rank/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// Value i of the window's row y around column x.
struct WindowRow {
    const std::uint8_t* row;  ///< null: all zeros
    int first, width;
    bool inside;
    Border border;

    __device__ WindowRow(const Layer<std::uint8_t>& layer, int x, int y, int radius)
        : first(x - radius), width(layer.width), border(layer.border) {
        y = remap(y, layer.height, border);
        row = y < 0 ? nullptr : layer.row(y);
        inside = first >= 0 && x + radius < width;
    }
    __device__ int operator[](int i) const {
        if (row == nullptr) return 0;
        const int x = inside ? first + i : remap(first + i, width, border);
        return x < 0 ? 0 : row[x];
    }
};

__global__ void histogram(Picture<std::uint8_t> p, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int top = blockIdx.y * rows, radius = p.window.radius, side = 2 * radius + 1;
    if (x >= p.width) return;
    Counts counts{reinterpret_cast<unsigned*>(dynamicShared) + threadIdx.x, static_cast<int>(blockDim.x)};
    counts.clear(256);
    const Layer<std::uint8_t> layer = p.layer();
    for (int j = -radius; j <= radius; ++j) {
        const WindowRow row(layer, x, top + j, radius);
        for (int i = 0; i < side; ++i) counts.add(row[i]);
    }
    const int bottom = lower(top + rows, p.height);
    for (int y = top;;) {
        *p.target(x, y) = static_cast<std::uint8_t>(counts.settle(p.index));
        if (++y == bottom) return;
        const WindowRow leaves(layer, x, y - radius - 1, radius), enters(layer, x, y + radius, radius);
#pragma unroll 4
        for (int i = 0; i < side; ++i) counts.replace(leaves[i], enters[i]);
    }
}

inline Footprint histogramFootprint(const Case& c, const TunableValues& t) {
    const int w = t.at("block_width");
    return {.blockWidth = w,
            .blockHeight = 1,
            .tileWidth = w,
            .tileHeight = t.at("rows_per_thread"),
            .haloX = c.window.radius,
            .haloY = c.window.radius,
            .haloThroughCache = true};
}

inline std::size_t histogramShared(const Case&, const TunableValues& t) {
    return static_cast<std::size_t>(t.at("block_width")) * 256 * sizeof(std::uint16_t);
}

inline void launchHistogram(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        if constexpr (sizeof(T) == 1)
            launch(c, &histogram, gridOf(a, histogramFootprint(a, t), layers),
                   dim3(static_cast<unsigned>(t.at("block_width"))), histogramShared(a, t), p, t.at("rows_per_thread"));
    });
}

inline std::string histogramRefusal(const Case& c) {
    if (c.type != io::PixelType::u8) return "counts bytes: ranked_tile takes other types";
    return squaresUpTo(c, kMaxRadius);
}

KernelEntry histogram_entry() {
    return {.launch = &launchHistogram,
            .footprint = &histogramFootprint,
            .sharedBytes = &histogramShared,
            .refusal = &histogramRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
