// SPDX-License-Identifier: Apache-2.0
// Idea: one thread takes one pixel apart, or puts one together, channel by channel.
// Changed: nothing, this is where the ladder between planes and pixels starts.
// Needs: planar or interleaved, any number of channels.
// Block: block_width threads, no shared memory.
// Source: NVIDIA, CUDA C++ Best Practices Guide, strided accesses; re-derived.
// Look at: bytes used of the sectors that a request touches: all of them in planes, one in three in pixels.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void pixel_per_thread(Packed<T> p) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= p.pixels) return;
    for (int c = 0; c < p.channels; ++c) {
        const std::int64_t planar = c * p.pixels + i, interleaved = i * p.channels + c;
        if (p.toPlanes)
            p.out[planar] = p.in[interleaved];
        else
            p.out[interleaved] = p.in[planar];
    }
}

inline void launchPixelPerThread(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchPacking(c, a, [&]<class T>(const Packed<T>& p) {
        const int width = t.at("block_width");
        const dim3 grid(static_cast<unsigned>((p.pixels + width - 1) / width));
        launch(c, &pixel_per_thread<T>, grid, dim3(static_cast<unsigned>(width)), 0, p);
    });
}

inline Footprint pixelPerThreadFootprint(const Case&, const TunableValues& t) {
    const int w = t.at("block_width");
    return {.blockWidth = w, .blockHeight = 1, .tileWidth = w, .tileHeight = 1, .order = Order::rows};
}

KernelEntry pixel_per_thread_entry() {
    return {.launch = &launchPixelPerThread, .footprint = &pixelPerThreadFootprint, .refusal = &packsOnly};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
