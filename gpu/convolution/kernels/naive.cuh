// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one output and reads everything it needs from global memory, the weights too.
// Changed: nothing, this is where the ladder starts.
// Needs: an odd filter up to 63 x 63; any picture, any border.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 7.2; re-derived.
// Look at: the two loads in the inner loop for one multiply-add.
#pragma once

#include "gpu/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void naive(Source<T> source, const float* filter, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    const bool inside = blockReadsInside(in, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, windowSum(in, filter, window, x, y, inside));
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const auto* filter = static_cast<const float*>(c.address(a.filter));
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, &naive<T, R>, grid, block, 0, in, filter, window, out);
        });
    });
}

inline Footprint naiveFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h, .haloX = filterWidth / 2,
            .haloY = filterHeight / 2, .haloThroughCache = true};
}

KernelEntry naive_entry() {
    return {.launch = &launchNaive, .footprint = &naiveFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
