// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes four pixels of a column at once: a tap that is loaded counts for up to four of them.
// Changed from tiled: both weights are one power of two, whose exponent is a sum; so no table is looked up.
// Needs: shared memory for a tile four times as high, registers for four sums.
// Block: block_width x block_height threads; (block_width + 2 radii) x (4 block_height + 2 radii) floats a channel.
// Source: our own.
// Look at: shared loads per pixel, and that the exponential alone is left of what a tap took.
#pragma once

#include "gpu/families/bilateral/launching.cuh"

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

constexpr int kOutputsAColumn = 4;

template <class T, int C>
__global__ void columns(Pictures<T, C> p) {
    constexpr int kOutputs = kOutputsAColumn;
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y * kOutputs, r = p.of.radius;
    const Tile<T, C> tile(blockDim.x, blockDim.y * kOutputs, r);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y * kOutputs;
    if (left + tx >= p.of.width) return;
    Pixel<C> centre[kOutputs];
    Mean<T, C> mean[kOutputs];
#pragma unroll
    for (int k = 0; k < kOutputs; ++k) centre[k] = tile.at(tx, ty + k);
    for (int dx = -r; dx <= r; ++dx) {
        const int reach = p.reach[abs(dx)];
        const float across = p.of.space * static_cast<float>(dx * dx);
        for (int j = -reach; j < kOutputs + reach; ++j) {
            const Pixel<C> pixel = tile.at(tx + dx, ty + j);
#pragma unroll
            for (int k = 0; k < kOutputs; ++k) {
                if (abs(j - k) > reach) continue;
                const float d = difference(pixel, centre[k]), dy = static_cast<float>(j - k);
                mean[k].add(exp2f(fmaf(p.of.space * dy, dy, fmaf(p.of.value * d, d, across))), pixel);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < kOutputs; ++k)
        if (top + ty + k < p.of.height) p.store(left + tx, top + ty + k, centre[k], mean[k]);
}

inline Footprint columnsFootprint(const Case& of, const TunableValues& t) {
    return footprintOf(of, t, kOutputsAColumn, true);
}
inline std::size_t columnsShared(const Case& of, const TunableValues& t) {
    return tileBytes(of, columnsFootprint(of, t));
}

inline void launchColumns(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const dim3 block = blockOf(t);
        launch(c, &columns<T, C>, gridOf(a, dim3(block.x, block.y * kOutputsAColumn)), block, columnsShared(a, t), p);
    });
}

KernelEntry columns_entry() {
    return {.launch = &launchColumns, .footprint = &columnsFootprint, .sharedBytes = &columnsShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
