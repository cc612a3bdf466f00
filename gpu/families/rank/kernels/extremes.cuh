// SPDX-License-Identifier: Apache-2.0
// Idea: the smallest of a square is the smallest of its columns' smallest, and twice as many are the smaller of two.
// Changed from selection: rows, then columns; each pass over a tile in shared memory doubles what a value stands for.
// Needs: percentiles 0 (erosion) and 100 (dilation) of squares.
// Block: 32 x block_height threads for 64 x 32 outputs; 8 (64 + 2 radius) (32 + 2 radius) bytes of shared memory.
// Source: van Herk 1992 and Gil and Werman 1993 for the idea of shared partial minima; doubling as in sparse tables.
// Look at: passes grow with the logarithm of the radius: 4 for 3 x 3, 14 for 75 x 75.
#pragma once

#include "gpu/families/rank/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

constexpr int kExtremesWidth = 64, kExtremesHeight = 32;

/// Rows of a tile in shared memory, and where the next pass writes.
struct Passes {
    int *from, *to;
    int width, rows;

    /// Each value becomes the smaller of itself and the one so many columns and rows on.
    __device__ void smaller(int columns, int down) {
        width -= columns;
        rows -= down;
        const int row = width + columns;
        for (int y = threadIdx.y; y < rows; y += blockDim.y) {
            for (int x = threadIdx.x; x < width; x += blockDim.x)
                to[y * width + x] = lower(from[y * row + x], from[(y + down) * row + x + columns]);
        }
        __syncthreads();
        int* const made = to;
        to = from;
        from = made;
    }
    /// `side` values along one axis become one.
    __device__ void reduce(int side, bool down) {
        int covered = 1;
        for (; covered < side; covered = lower(side, 2 * covered)) {
            const int shift = lower(covered, side - covered);
            smaller(down ? 0 : shift, down ? shift : 0);
        }
    }
};

template <class T>
__global__ void extremes(Picture<T> p) {
    const int radius = p.window.radius, side = 2 * radius + 1;
    const int left = blockIdx.x * kExtremesWidth, top = blockIdx.y * kExtremesHeight;
    // The largest is the smallest of what counts backwards.
    const int turn = p.index == 0 ? 0 : -1;
    const int width = lower(kExtremesWidth, p.width - left), rows = lower(kExtremesHeight, p.height - top);
    int* const tile = reinterpret_cast<int*>(dynamicShared);
    Passes passes{tile, tile, width + 2 * radius, rows + 2 * radius};
    passes.to += passes.width * passes.rows;
    const Layer<T> layer = p.layer();
    for (int y = threadIdx.y; y < passes.rows; y += blockDim.y) {
        for (int x = threadIdx.x; x < passes.width; x += blockDim.x)
            tile[y * passes.width + x] = keyOf(layer.at(left - radius + x, top - radius + y)) ^ turn;
    }
    __syncthreads();
    passes.reduce(side, false);
    passes.reduce(side, true);
    for (int y = threadIdx.y; y < rows; y += blockDim.y) {
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            *p.target(left + x, top + y) = valueOf<T>(passes.from[y * width + x] ^ turn);
    }
}

inline Footprint extremesFootprint(const Case& c, const TunableValues& t) {
    const int radius = c.window.radius;
    return {.blockWidth = 32,
            .blockHeight = t.at("block_height"),
            .tileWidth = kExtremesWidth,
            .tileHeight = kExtremesHeight,
            .stagedLeft = radius,
            .stagedTop = radius,
            .stagedRight = radius,
            .stagedBottom = radius,
            .staged = true,
            .haloX = radius,
            .haloY = radius};
}

inline std::size_t extremesShared(const Case& c, const TunableValues&) {
    const int width = std::min(c.width, kExtremesWidth) + 2 * c.window.radius;
    const int rows = std::min(c.height, kExtremesHeight) + 2 * c.window.radius;
    return std::size_t{2} * static_cast<std::size_t>(width * rows) * sizeof(int);
}

inline void launchExtremes(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        const dim3 block(32, static_cast<unsigned>(t.at("block_height")));
        launch(c, &extremes<T>, gridOf(a, extremesFootprint(a, t), layers), block, extremesShared(a, t), p);
    });
}

inline std::string extremesRefusal(const Case& c) {
    if (const std::string why = squaresUpTo(c, kMaxRadius); !why.empty()) return why;
    return c.extreme() ? "" : "finds the smallest and the largest value only: selection finds every percentile";
}

KernelEntry extremes_entry() {
    return {.launch = &launchExtremes,
            .footprint = &extremesFootprint,
            .sharedBytes = &extremesShared,
            .refusal = &extremesRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
