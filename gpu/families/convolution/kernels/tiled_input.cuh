// SPDX-License-Identifier: Apache-2.0
// Idea: the block stages what its outputs share in shared memory; the block is as large as the staged input tile.
// Changed from constant: each input value is read from global memory once per block; threads in the halo only load.
// Needs: a filter smaller than the block in every direction, so below 11 x 11 x 11; any picture, any border.
// Block: block_width x block_height threads, 4 block_width block_height bytes shared; (w - 2rx)(h - 2ry) of them write.
// In three dimensions as many slices d of them as make 1,024 threads; (w - 2rx)(h - 2ry)(d - 2rz) write.
// Source: Kirk and Hwu, 4th ed., section 7.4, figure 7.12; re-derived.
// Look at: the second condition: how many threads idle while the others sum.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
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
            launch(c, squareSpecial<T, R>(a, "tiled_input"), &tiled_input<T, R>, grid, block,
                   tiledInputShared(t, a.filterWidth, a.filterHeight), in, window, out);
        });
    });
}

/// The same in three dimensions: the tile is a box, the input's slice `first` being the output's first.
template <class T>
__global__ void tiled_input_volume(Volume<T> in, Window3 window, int first, int slices, Target out) {
    float* tile = dynamicShared;
    const int width = blockDim.x, height = blockDim.y, depth = blockDim.z;
    const int tileWidth = width - window.width + 1, tileHeight = height - window.height + 1;
    const int tileDepth = depth - window.depth + 1;
    const int column = static_cast<int>(threadIdx.x) - window.radiusX();
    const int row = static_cast<int>(threadIdx.y) - window.radiusY();
    const int layer = static_cast<int>(threadIdx.z) - window.radiusZ();
    const int x = blockIdx.x * tileWidth + column, y = blockIdx.y * tileHeight + row,
              z = blockIdx.z * tileDepth + layer;

    const int left = x - static_cast<int>(threadIdx.x), top = y - static_cast<int>(threadIdx.y);
    const int front = first + z - static_cast<int>(threadIdx.z);
    const bool inside = in.contains(left, top, front, width, height, depth);
    tile[(threadIdx.z * height + threadIdx.y) * width + threadIdx.x] =
        inside ? in(x, y, first + z) : in.at(x, y, first + z);
    __syncthreads();  // the tile is complete

    if (column < 0 || column >= tileWidth || row < 0 || row >= tileHeight || layer < 0 || layer >= tileDepth) return;
    if (!out.contains(x, y) || z >= slices) return;
    out.store(z, x, y, boxSum(&tile[(layer * height + row) * width + column], width, height, constantFilter, window));
}

inline int tiledInputTileDepth(const TunableValues& t, const Box& filter) {
    return fullBlockDepth(t) - filter.depth + 1;
}

/// The block with the most outputs; of equals the one whose rows are read in the fewest requests.
inline TunableValues tiledInputDefaults(const Box& filter) {
    const int kBlocks[][2] = {{32, 32}, {32, 8}, {16, 8}, {10, 10}, {12, 12}, {filter.width, filter.height}};
    TunableValues best;
    std::int64_t most = 0;
    for (const auto& [width, height] : kBlocks) {
        const TunableValues block{{"block_width", width}, {"block_height", height}};
        const std::int64_t across = width - filter.width + 1, down = height - filter.height + 1;
        const int deep = tiledInputTileDepth(block, filter);
        const std::int64_t outputs = across > 0 && down > 0 && deep > 0 ? across * down * deep : 0;
        if (best.empty() || outputs > most) best = block, most = outputs;
    }
    return best;
}

inline Footprint tiledInputVolumeFootprint(const TunableValues& t, const Box& filter) {
    return tiledInputFootprint(t, filter.width, filter.height);
}

inline std::size_t tiledInputVolumeShared(const TunableValues& t, const Box&) {
    return tiledInputShared(t, 0, 0) * fullBlockDepth(t);
}

inline void launchTiledInputVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        dim3 block = blockOf(t);
        block.z = fullBlockDepth(t);
        const Box filter{a.filterWidth, a.filterHeight, a.filterDepth};
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto tile = tiledInputVolumeFootprint(t, filter);
        const int deep = tiledInputTileDepth(t, filter);
        forVolumes<T>(c, a, deep, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, tile.tileWidth), ceilDiv(a.height, tile.tileHeight),
                            ceilDiv(slices, deep));
            launch(c, &tiled_input_volume<T>, grid, block, tiledInputVolumeShared(t, filter), in, window, first, slices,
                   out);
        });
    });
}

KernelEntry tiled_input_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchTiledInput,
            .footprint = &tiledInputFootprint,
            .sharedBytes = &tiledInputShared,
            .volume = {.launch = &launchTiledInputVolume,
                       .blockDepth = &fullBlockDepth,
                       .tileDepth = &tiledInputTileDepth,
                       .defaults = &tiledInputDefaults,
                       .footprint = &tiledInputVolumeFootprint,
                       .sharedBytes = &tiledInputVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
