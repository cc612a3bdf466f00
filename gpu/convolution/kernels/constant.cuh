// SPDX-License-Identifier: Apache-2.0
// Idea: the weights are the same for all threads and never change, so they belong in constant memory.
// Changed from naive: one load an inner step is gone; the constant cache hands one weight to a whole warp.
// Needs: an odd filter up to 63 x 63 (15.5 of the 64 KiB of constant memory); any picture, any border.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 7.3; re-derived.
// Look at: constantFilter, which is no parameter of the kernel any more.
#pragma once

#include "gpu/convolution/constant_filter.cuh"
#include "gpu/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void constant(Source<T> source, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    const bool inside = blockReadsInside(in, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, windowSum(in, constantFilter, window, x, y, inside));
}

inline void launchConstant(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, &constant<T, R>, grid, block, 0, in, window, out);
        });
    });
}

inline Footprint constantFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h, .haloX = filterWidth / 2,
            .haloY = filterHeight / 2, .haloThroughCache = true};
}

KernelEntry constant_entry() {
    return {.prepare = &prepareConstantFilter, .launch = &launchConstant, .footprint = &constantFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
