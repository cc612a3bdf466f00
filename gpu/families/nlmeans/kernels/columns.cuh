// SPDX-License-Identifier: Apache-2.0
// Idea: patches of adjacent lanes share columns; each lane sums one, and shuffles double what the sums span.
// Changed from coarsened: a row of a patch takes one squared difference per lane, and sums pass from lane to lane.
// Needs: warps of 32 lanes, as many of which idle as a patch is wider than a pixel; patches at least 3 high.
// Block: 32 x block_height threads; a tile with a halo of patch and search radius, floats.
// Source: van Herk, Pattern Recognition Letters 1992, for four windows; shuffles as in a scan by doubling; our own.
// Look at: shared loads per pixel, which hardly grow with the patch radius.
#pragma once

#include "gpu/families/nlmeans/launching.cuh"

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

constexpr int kLanes = 32;

/// The sum of an odd number of lanes' values, from this lane's on; all lanes take part.
__device__ inline float acrossLanes(float value, int count) {
    float sum = value;
    for (int span = 1, from = 1; 2 * span < count; span *= 2) {
        value += __shfl_down_sync(0xffffffffU, value, span);
        if ((count & (2 * span)) == 0) continue;
        sum += __shfl_down_sync(0xffffffffU, value, from);
        from += 2 * span;
    }
    return sum;
}

template <class T, int C>
__global__ void columns(Pictures<T, C> p) {
    constexpr int kOutputs = kOutputsAColumn;
    const int r = p.of.patch, s = p.of.search, side = 2 * r + 1, width = kLanes - 2 * r;
    const int left = blockIdx.x * width, top = blockIdx.y * blockDim.y * kOutputs;
    const Tile<T, C> tile(width, blockDim.y * kOutputs, p.of);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y * kOutputs;
    if (top + ty >= p.of.height) return;  // the whole warp
    Mean<T, C> mean[kOutputs];
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            float apart[kOutputs];
            addRows(side, apart,
                    [&](float sum, int row) { return tile.addSquaresAt(sum, tx - r, ty - r + row, dx, dy); });
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                apart[k] = acrossLanes(apart[k], side);
                if (tx < width) mean[k].add(p.weight(apart[k]), tile.at(tx + dx, ty + k + dy));
            }
        }
    }
    if (tx >= width || left + tx >= p.of.width) return;
#pragma unroll
    for (int k = 0; k < kOutputs; ++k)
        if (top + ty + k < p.of.height) p.store(left + tx, top + ty + k, tile.at(tx, ty + k), mean[k]);
}

inline Footprint columnsFootprint(const Case& of, const TunableValues& t) {
    const int h = t.at("block_height"), reach = of.patch + of.search;
    return staged(of, {.blockWidth = kLanes,
                       .blockHeight = h,
                       .tileWidth = kLanes - 2 * of.patch,
                       .tileHeight = h * kOutputsAColumn,
                       .haloX = reach,
                       .haloY = reach});
}
inline std::size_t columnsShared(const Case& of, const TunableValues& t) {
    return tileBytes(of, columnsFootprint(of, t));
}

inline void launchColumns(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const Footprint tile = columnsFootprint(a, t);
        const dim3 block(kLanes, static_cast<unsigned>(tile.blockHeight));
        launch(c, &columns<T, C>, gridOf(a, tile.tileWidth, tile.tileHeight), block, columnsShared(a, t), p);
    });
}

KernelEntry columns_entry() {
    return {.launch = &launchColumns, .footprint = &columnsFootprint, .sharedBytes = &columnsShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
