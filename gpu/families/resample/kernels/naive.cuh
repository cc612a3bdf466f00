// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one pixel of the result, and every weight that it needs.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: the definition, by whole numbers so that every size has exact places.
// Look at: operations per pixel, most of them for weights that neighbours compute as well.
#pragma once

#include "gpu/families/resample/launching.cuh"
#include "gpu/families/resample/weights.hpp"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void naive(Pictures<T> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const Case& of = p.of;
    if (x >= of.x.out || y >= of.y.out) return;
    const Places<float> places(of, x, y);
    const Place<float>&across = places.across, &down = places.down;
    float total = 0, allX = 0, allY = 0;
    for (int j = 0; j < of.y.taps; ++j) {
        const float wy = down.weight(of.method, of.y, j);
        if (wy == 0) continue;
        float sum = 0;
        allX = 0;
        for (int i = 0; i < of.x.taps; ++i) {
            const float wx = across.weight(of.method, of.x, i);
            if (wx == 0) continue;
            sum = fmaf(wx, p.at(blockIdx.z, across.first + i, down.first + j), sum);
            allX += wx;
        }
        total = fmaf(wy, sum, total);
        allY += wy;
    }
    p.store(blockIdx.z, x, y, total / (allX * allY));
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        launch(c, &naive<T>, gridOf(a.x.out, a.y.out, blockOf(t), a.planes), blockOf(t), 0, p);
    });
}

KernelEntry naive_entry() { return {.launch = &launchNaive, .footprint = &blockFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
