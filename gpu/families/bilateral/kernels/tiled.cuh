// SPDX-License-Identifier: Apache-2.0
// Idea: a block stages its pixels and a border of the radius in shared memory, as floats.
// Changed from space_table: border and conversion are dealt with once per staged pixel, not once per tap.
// Needs: shared memory for the tile, which grows with the radius and the channels.
// Block: block_width x block_height threads; (block + 2 radii) squared floats a channel.
// Source: Kirk and Hwu, 4th ed., section 7.4, for another filter.
// Look at: integer operations per tap, most of which were the border's.
#pragma once

#include "gpu/families/bilateral/launching.cuh"

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void tiled(Pictures<T, C> p) {
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y, r = p.of.radius;
    const Tile<T, C> tile(blockDim.x, blockDim.y, r);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (left + tx >= p.of.width || top + ty >= p.of.height) return;
    const Pixel<C> centre = tile.at(tx, ty);
    Mean<T, C> mean;
    for (int dy = -r; dy <= r; ++dy) {
        const int away = abs(dy), reach = p.reach[away];
        const float* const weights = p.spaceWeights + away * (r + 1);
        for (int dx = -reach; dx <= reach; ++dx) {
            const Pixel<C> pixel = tile.at(tx + dx, ty + dy);
            const float d = difference(pixel, centre);
            mean.add(weights[abs(dx)] * exp2f(p.of.value * d * d), pixel);
        }
    }
    p.store(left + tx, top + ty, centre, mean);
}

inline Footprint tiledFootprint(const Case& of, const TunableValues& t) { return footprintOf(of, t, 1, true); }
inline std::size_t tiledShared(const Case& of, const TunableValues& t) { return tileBytes(of, tiledFootprint(of, t)); }

inline void launchTiled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        launch(c, &tiled<T, C>, gridOf(a, blockOf(t)), blockOf(t), tiledShared(a, t), p);
    });
}

KernelEntry tiled_entry() {
    return {.launch = &launchTiled, .footprint = &tiledFootprint, .sharedBytes = &tiledShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
