// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one pixel: for every pixel of the disc a weight by distance and one by difference.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: Tomasi and Manduchi, Bilateral Filtering for Gray and Color Images, ICCV 1998.
// Look at: operations per pixel: two exponentials a tap, and a square of which the disc leaves corners out.
#pragma once

#include "gpu/families/bilateral/launching.cuh"

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void naive(Pictures<T, C> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.width || y >= p.of.height) return;
    const int r = p.of.radius;
    const Pixel<C> centre = p.at(x, y);
    Mean<T, C> mean;
    for (int dy = -r; dy <= r; ++dy) {
        for (int dx = -r; dx <= r; ++dx) {
            const int far = dx * dx + dy * dy;
            if (far > r * r) continue;
            const Pixel<C> pixel = p.at(x + dx, y + dy);
            const float d = difference(pixel, centre);
            mean.add(exp2f(p.of.space * static_cast<float>(far)) * exp2f(p.of.value * d * d), pixel);
        }
    }
    p.store(x, y, centre, mean);
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        launch(c, &naive<T, C>, gridOf(a, blockOf(t)), blockOf(t), 0, p);
    });
}

KernelEntry naive_entry() { return {.launch = &launchNaive, .footprint = &pixelFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
