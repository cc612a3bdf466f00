// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes outputs in both directions, a block apart, so that a block covers a tile of many blocks.
// Changed from coarsened: outputs lie beside each other as well, and all of them in the block's own tile, not a grid
// apart.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, no shared memory; columns_per_thread x rows_per_thread outputs per thread.
// Source: Kirk and Hwu, 4th ed., section 6.3 (thread coarsening), in two directions; re-derived.
// Look at: the steps of both loops, a block: neighbouring threads still read neighbouring values.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void coarsened_both(Source<T> source, Window<R> window, Target out, int across, int down) {
    const Plane<T> in = source.plane(blockIdx.z);
    const int left = blockIdx.x * blockDim.x * across, top = blockIdx.y * blockDim.y * down;
    for (int j = 0; j < down; ++j) {
        for (int i = 0; i < across; ++i) {
            const int blockX = left + i * blockDim.x, blockY = top + j * blockDim.y;
            const bool inside = blockReadsInside(in, window, blockX, blockY);
            const int x = blockX + threadIdx.x, y = blockY + threadIdx.y;
            if (out.contains(x, y)) out.store(blockIdx.z, x, y, windowSum(in, constantFilter, window, x, y, inside));
        }
    }
}

inline Footprint coarsenedBothFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w * t.at("columns_per_thread"),
            .tileHeight = h * t.at("rows_per_thread"),
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

inline void launchCoarsenedBoth(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const Window<R> window{a.filterWidth, a.filterHeight};
        const Footprint tile = coarsenedBothFootprint(t, a.filterWidth, a.filterHeight);
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, tile.tileWidth), ceilDiv(a.height, tile.tileHeight), layers);
            launch(c, squareSpecial<T, R>(a, "coarsened_both"), &coarsened_both<T, R>, grid, blockOf(t), 0, in, window,
                   out, t.at("columns_per_thread"), t.at("rows_per_thread"));
        });
    });
}

/// The same in three dimensions: the block's tile lies in one slice, the input's slice `first` being the output's
/// first.
template <class T>
__global__ void coarsened_both_volume(Volume<T> in, Window3 window, int first, Target out, int across, int down) {
    const int left = blockIdx.x * blockDim.x * across, top = blockIdx.y * blockDim.y * down;
    const int z = first + blockIdx.z;
    for (int j = 0; j < down; ++j) {
        for (int i = 0; i < across; ++i) {
            const int blockX = left + i * blockDim.x, blockY = top + j * blockDim.y;
            const bool inside = blockReadsInside(in, window, blockX, blockY, z);
            const int x = blockX + threadIdx.x, y = blockY + threadIdx.y;
            if (out.contains(x, y)) out.store(blockIdx.z, x, y, volumeSum(in, constantFilter, window, x, y, z, inside));
        }
    }
}

inline Footprint coarsenedBothVolumeFootprint(const TunableValues& t, const Box& filter) {
    return coarsenedBothFootprint(t, filter.width, filter.height);
}

inline void launchCoarsenedBothVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const Footprint tile = coarsenedBothFootprint(t, a.filterWidth, a.filterHeight);
        forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, tile.tileWidth), ceilDiv(a.height, tile.tileHeight), slices);
            launch(c, &coarsened_both_volume<T>, grid, blockOf(t), 0, in, window, first, out,
                   t.at("columns_per_thread"), t.at("rows_per_thread"));
        });
    });
}

KernelEntry coarsened_both_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchCoarsenedBoth,
            .footprint = &coarsenedBothFootprint,
            .volume = {.launch = &launchCoarsenedBothVolume, .footprint = &coarsenedBothVolumeFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
