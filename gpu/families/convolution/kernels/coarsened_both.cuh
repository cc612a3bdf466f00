// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes outputs in both directions, a block apart, so that a block covers a tile of many blocks.
// Changed from coarsened: outputs lie beside each other as well, and all of them in the block's own tile, not a grid
// apart.
// Needs: an odd filter up to 63 x 63; any picture, any border.
// Block: block_width x block_height threads, no shared memory; columns_per_thread x rows_per_thread outputs per thread.
// Source: Kirk and Hwu, 4th ed., section 6.3 (thread coarsening), in two directions; re-derived.
// Look at: the steps of both loops, a block: neighbouring threads still read neighbouring values.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
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
            launch(c, &coarsened_both<T, R>, grid, blockOf(t), 0, in, window, out, t.at("columns_per_thread"),
                   t.at("rows_per_thread"));
        });
    });
}

KernelEntry coarsened_both_entry() {
    return {.prepare = &prepareConstantFilter, .launch = &launchCoarsenedBoth, .footprint = &coarsenedBothFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
