// SPDX-License-Identifier: Apache-2.0
// Idea: the block is as large as the tile it writes; the larger tile it stages is loaded in several turns.
// Changed from tiled_input: every thread writes a result, at the price of a loading loop.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, 4 (w + 2rx)(h + 2ry) bytes shared; in three dimensions 4 slices of them
// and 4 (w + 2rx)(h + 2ry)(4 + 2rz) bytes.
// Source: Kirk and Hwu, 4th ed., section 7.4, exercise 8; re-derived.
// Look at: stageTile, the loop that fills the tile: threads are numbered through, so that rows need not fit the block.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void tiled_output(Source<T> source, Window<R> window, Target out) {
    float* tile = dynamicShared;
    const int stagedWidth = blockDim.x + 2 * window.radiusX();
    const int stagedHeight = blockDim.y + 2 * window.radiusY();
    const int left = static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX();
    const int top = static_cast<int>(blockIdx.y * blockDim.y) - window.radiusY();

    // Threads are numbered through: a row of the tile need not fit a row of the block.
    stageTile(tile, source.plane(blockIdx.z), left, top, stagedWidth, stagedHeight);
    __syncthreads();  // the tile is complete

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y,
              tileSum(&tile[threadIdx.y * stagedWidth + threadIdx.x], stagedWidth, constantFilter, window));
}

inline std::size_t tiledOutputShared(const TunableValues& t, int filterWidth, int filterHeight) {
    return sizeof(float) * (t.at("block_width") + filterWidth - 1) * (t.at("block_height") + filterHeight - 1);
}

inline Footprint tiledOutputFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    const int rx = filterWidth / 2, ry = filterHeight / 2;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

inline void launchTiledOutput(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, squareSpecial<T, R>(a, "tiled_output"), &tiled_output<T, R>, grid, block,
                   tiledOutputShared(t, a.filterWidth, a.filterHeight), in, window, out);
        });
    });
}

/// Slices that a block writes: with 32 x 8 threads a slice, the 1,024 that a block may have.
constexpr int kTiledBlockDepth = 4;
inline int tiledBlockDepth(const TunableValues&) { return kTiledBlockDepth; }

/// The same in three dimensions: the tile is a box, the input's slice `first` being the output's first.
template <class T>
__global__ void tiled_output_volume(Volume<T> in, Window3 window, int first, int slices, Target out) {
    float* tile = dynamicShared;
    const int stagedWidth = blockDim.x + window.width - 1;
    const int stagedHeight = blockDim.y + window.height - 1;
    const int stagedDepth = blockDim.z + window.depth - 1;
    const int left = static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX();
    const int top = static_cast<int>(blockIdx.y * blockDim.y) - window.radiusY();
    const int front = first + static_cast<int>(blockIdx.z * blockDim.z) - window.radiusZ();
    stageBox(tile, in, left, top, front, stagedWidth, stagedHeight, stagedDepth);
    __syncthreads();  // the tile is complete

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (!out.contains(x, y) || z >= slices) return;
    const float* corner = &tile[(threadIdx.z * stagedHeight + threadIdx.y) * stagedWidth + threadIdx.x];
    out.store(z, x, y, boxSum(corner, stagedWidth, stagedHeight, constantFilter, window));
}

inline std::size_t tiledOutputVolumeShared(const TunableValues& t, const Box& filter) {
    return tiledOutputShared(t, filter.width, filter.height) * (kTiledBlockDepth + filter.depth - 1);
}

inline Footprint tiledOutputVolumeFootprint(const TunableValues& t, const Box& filter) {
    return tiledOutputFootprint(t, filter.width, filter.height);
}

inline void launchTiledOutputVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        dim3 block = blockOf(t);
        block.z = kTiledBlockDepth;
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto shared = tiledOutputVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
        forVolumes<T>(c, a, kTiledBlockDepth, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), ceilDiv(slices, kTiledBlockDepth));
            launch(c, &tiled_output_volume<T>, grid, block, shared, in, window, first, slices, out);
        });
    });
}

KernelEntry tiled_output_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchTiledOutput,
            .footprint = &tiledOutputFootprint,
            .sharedBytes = &tiledOutputShared,
            .volume = {.launch = &launchTiledOutputVolume,
                       .blockDepth = &tiledBlockDepth,
                       .footprint = &tiledOutputVolumeFootprint,
                       .sharedBytes = &tiledOutputVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
