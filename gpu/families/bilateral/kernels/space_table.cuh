// SPDX-License-Identifier: Apache-2.0
// Idea: the weight by distance is the same for every pixel, so the host computes it once.
// Changed from naive: a table of a quarter of the disc and one of its rows' extents; one exponential a tap is left.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: as naive; OpenCV's bilateralFilter has the same table.
// Look at: operations per pixel, and loads, which the table adds.
#pragma once

#include "gpu/families/bilateral/launching.cuh"

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void space_table(Pictures<T, C> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.width || y >= p.of.height) return;
    const int r = p.of.radius;
    const Pixel<C> centre = p.at(x, y);
    Mean<T, C> mean;
    for (int dy = -r; dy <= r; ++dy) {
        const int away = abs(dy), reach = p.reach[away];
        const float* const weights = p.spaceWeights + away * (r + 1);
        for (int dx = -reach; dx <= reach; ++dx) {
            const Pixel<C> pixel = p.at(x + dx, y + dy);
            const float d = difference(pixel, centre);
            mean.add(weights[abs(dx)] * exp2f(p.of.value * d * d), pixel);
        }
    }
    p.store(x, y, centre, mean);
}

inline void launchSpaceTable(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        launch(c, &space_table<T, C>, gridOf(a, blockOf(t)), blockOf(t), 0, p);
    });
}

KernelEntry space_table_entry() { return {.launch = &launchSpaceTable, .footprint = &pixelFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
