// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one pixel: for every pixel of the search square the sum of its patch's squared differences.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: Buades, Coll and Morel, A non-local algorithm for image denoising, CVPR 2005.
// Look at: loads per pixel: two for each pixel of a patch, for each place where it is compared.
#pragma once

#include "gpu/families/nlmeans/launching.cuh"

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void naive(Pictures<T, C> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.width || y >= p.of.height) return;
    const int r = p.of.patch, s = p.of.search;
    Mean<T, C> mean;
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            float apart = 0;
            for (int j = -r; j <= r; ++j)
                for (int i = -r; i <= r; ++i)
                    apart = addSquares(apart, p.at(x + i, y + j), p.at(x + dx + i, y + dy + j));
            mean.add(p.weight(apart), p.at(x + dx, y + dy));
        }
    }
    p.store(x, y, p.at(x, y), mean);
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const dim3 block = blockOf(t);
        launch(c, &naive<T, C>, gridOf(a, block.x, block.y), block, 0, p);
    });
}

KernelEntry naive_entry() { return {.launch = &launchNaive, .footprint = &pixelFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
