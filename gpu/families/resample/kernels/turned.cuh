// SPDX-License-Identifier: Apache-2.0
// Idea: a rotated pixel's weights are a product of one per axis, so each is computed once, in registers.
// Changed from naive: 2 x taps weights a pixel instead of taps^2; the reads are the same.
// Needs: a rotation; registers for 12 weights.
// Block: block_width x block_height threads, no shared memory.
// Source: Heckbert and Schumacher, Graphics Gems III, for places that differ in every pixel.
// Look at: operations per pixel, and sectors per load: a warp reads along a slanted line.
#pragma once

#include "gpu/families/resample/turning.cuh"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void turned(Pictures<T> p) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const Case& of = p.of;
    if (x >= of.x.out || y >= of.y.out) return;
    const Places<float> places(of, Turned(of, x, y));
    const AxisWeights across(of, of.x, places.across), down(of, of.y, places.down);
    p.store(blockIdx.z, x, y, meanOf(across, down, [&](int i, int j) { return p.at(blockIdx.z, i, j); }));
}

inline void launchTurned(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        launch(c, &turned<T>, gridOf(a.x.out, a.y.out, blockOf(t), a.planes), blockOf(t), 0, p);
    });
}

KernelEntry turned_entry() {
    return {.launch = &launchTurned, .footprint = &blockFootprint, .refusal = &refusalToResize};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
