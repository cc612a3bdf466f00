// SPDX-License-Identifier: Apache-2.0
// Idea: a block stages its pixels and all that their patches are compared with in shared memory, as floats.
// Changed from naive: border and conversion are dealt with once per staged pixel, not twice per squared difference.
// Needs: shared memory for the tile, which grows with both radii and the channels.
// Block: block_width x block_height threads; (block + 2 (patch + search radius)) squared floats a channel.
// Source: Kirk and Hwu, 4th ed., section 7.4, for another filter.
// Look at: global loads, which nearly vanish, and shared loads, of which there are as many as naive had.
#pragma once

#include "gpu/families/nlmeans/launching.cuh"

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void tiled(Pictures<T, C> p) {
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
    const Tile<T, C> tile(blockDim.x, blockDim.y, p.of);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y, r = p.of.patch, s = p.of.search;
    if (left + tx >= p.of.width || top + ty >= p.of.height) return;
    Mean<T, C> mean;
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            float apart = 0;
            for (int j = -r; j <= r; ++j)
                for (int i = -r; i <= r; ++i) apart = tile.addSquaresAt(apart, tx + i, ty + j, dx, dy);
            mean.add(p.weight(apart), tile.at(tx + dx, ty + dy));
        }
    }
    p.store(left + tx, top + ty, tile.at(tx, ty), mean);
}

inline std::size_t tiledShared(const Case& of, const TunableValues& t) { return tileBytes(of, tileFootprint(of, t)); }

inline void launchTiled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const dim3 block = blockOf(t);
        launch(c, &tiled<T, C>, gridOf(a, block.x, block.y), block, tiledShared(a, t), p);
    });
}

KernelEntry tiled_entry() { return {.launch = &launchTiled, .footprint = &tileFootprint, .sharedBytes = &tiledShared}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
