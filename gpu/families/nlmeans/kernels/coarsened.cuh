// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes four pixels of a column at once: patches below one another share rows, which it sums once.
// Changed from tiled: for four outputs a row of a patch is summed about once, in registers; no barrier, as in row_sums.
// Needs: shared memory for a tile four times as high, registers for four sums; patches at least 3 high.
// Block: block_width x block_height threads; (block_width + halo) x (4 block_height + halo) floats a channel.
// Source: van Herk, Pattern Recognition Letters 1992, for four windows; the kernel is our own.
// Look at: shared loads per pixel, less than half of tiled's for patches of 5 x 5.
#pragma once

#include "gpu/families/nlmeans/launching.cuh"

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void coarsened(Pictures<T, C> p) {
    constexpr int kOutputs = kOutputsAColumn;
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y * kOutputs;
    const Tile<T, C> tile(blockDim.x, blockDim.y * kOutputs, p.of);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y * kOutputs, r = p.of.patch, s = p.of.search;
    if (left + tx >= p.of.width) return;
    Mean<T, C> mean[kOutputs];
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            float apart[kOutputs];
            addRows(2 * r + 1, apart, [&](float sum, int row) {
                for (int i = -r; i <= r; ++i) sum = tile.addSquaresAt(sum, tx + i, ty - r + row, dx, dy);
                return sum;
            });
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) mean[k].add(p.weight(apart[k]), tile.at(tx + dx, ty + k + dy));
        }
    }
#pragma unroll
    for (int k = 0; k < kOutputs; ++k)
        if (top + ty + k < p.of.height) p.store(left + tx, top + ty + k, tile.at(tx, ty + k), mean[k]);
}

inline Footprint coarsenedFootprint(const Case& of, const TunableValues& t) {
    Footprint tile = tileFootprint(of, t);
    tile.tileHeight *= kOutputsAColumn;
    return tile;
}
inline std::size_t coarsenedShared(const Case& of, const TunableValues& t) {
    return tileBytes(of, coarsenedFootprint(of, t));
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const Footprint tile = coarsenedFootprint(a, t);
        launch(c, &coarsened<T, C>, gridOf(a, tile.tileWidth, tile.tileHeight), blockOf(t), coarsenedShared(a, t), p);
    });
}

KernelEntry coarsened_entry() {
    return {.launch = &launchCoarsened, .footprint = &coarsenedFootprint, .sharedBytes = &coarsenedShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
