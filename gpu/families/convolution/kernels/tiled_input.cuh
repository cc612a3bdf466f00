// SPDX-License-Identifier: Apache-2.0
// Idea: the block stages what its outputs share in shared memory; the block is as large as the staged input tile.
// Changed from constant: each input value is read from global memory once per block; threads in the halo only load.
// Needs: a filter smaller than the block in both directions; any picture, any border.
// Block: block_width x block_height threads, 4 block_width block_height bytes shared; (w - 2rx)(h - 2ry) of them write.
// Source: Kirk and Hwu, 4th ed., section 7.4, figure 7.12; re-derived.
// Look at: the second condition: how many threads idle while the others sum.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void tiled_input(Source<T> source, Window<R> window, Target out) {
    float* tile = dynamicShared;
    const int tileWidth = blockDim.x - 2 * window.radiusX();
    const int tileHeight = blockDim.y - 2 * window.radiusY();
    const int column = static_cast<int>(threadIdx.x) - window.radiusX();
    const int row = static_cast<int>(threadIdx.y) - window.radiusY();
    const int x = blockIdx.x * tileWidth + column;
    const int y = blockIdx.y * tileHeight + row;

    const Plane<T> in = source.plane(blockIdx.z);
    const int left = x - static_cast<int>(threadIdx.x), top = y - static_cast<int>(threadIdx.y);
    const bool inside = in.contains(left, top, left + blockDim.x - 1, top + blockDim.y - 1);
    tile[threadIdx.y * blockDim.x + threadIdx.x] = inside ? in(x, y) : in.at(x, y);
    __syncthreads();  // the tile is complete

    if (column < 0 || column >= tileWidth || row < 0 || row >= tileHeight || !out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, tileSum(&tile[row * blockDim.x + column], blockDim.x, constantFilter, window));
}

inline std::size_t tiledInputShared(const TunableValues& t, int, int) {
    return sizeof(float) * t.at("block_width") * t.at("block_height");
}

inline Footprint tiledInputFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    const int rx = filterWidth / 2, ry = filterHeight / 2;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w - 2 * rx,
            .tileHeight = h - 2 * ry,
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

inline void launchTiledInput(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        const auto tile = tiledInputFootprint(t, a.filterWidth, a.filterHeight);
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, tile.tileWidth), ceilDiv(a.height, tile.tileHeight), layers);
            launch(c, &tiled_input<T, R>, grid, block, tiledInputShared(t, a.filterWidth, a.filterHeight), in, window,
                   out);
        });
    });
}

KernelEntry tiled_input_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchTiledInput,
            .footprint = &tiledInputFootprint,
            .sharedBytes = &tiledInputShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
