// SPDX-License-Identifier: Apache-2.0
// Idea: what stands before and after a flood, the same for every variant: seeds at level 0, and keys back to levels.
// Changed from: -
// Needs: seeds that lie inside, each pixel once.
// Block: 256 threads; nothing shared.
// Source: -
// Look at: one colour needs no second kernel: its keys are the levels.
#pragma once

#include "gpu/families/flood/launching.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

constexpr unsigned kStepThreads = 256;

template <class Key>
__global__ void start(Key* keys, unsigned* queue, const unsigned* pixels, const unsigned* indices, unsigned count) {
    const unsigned i = blockIdx.x * kStepThreads + threadIdx.x;
    if (i >= count) return;
    keys[pixels[i]] = keyOf<Key>(0, indices[i]);
    if (queue != nullptr) queue[i] = pixels[i];
}

__global__ void finish(const Wide* keys, int* levels, unsigned pixels) {
    const unsigned stride = gridDim.x * kStepThreads;
    for (unsigned i = blockIdx.x * kStepThreads + threadIdx.x; i < pixels; i += stride)
        levels[i] = static_cast<int>(levelOf(keys[i]));
}

inline void launchStart(LaunchContext& c, const Flood& flood) {
    if (flood.seeds == 0) return;
    const auto with = [&]<class Key>(Key) {
        launch(c, &start<Key>, dim3(blocksFor(flood.seeds, kStepThreads)), dim3(kStepThreads), 0,
               static_cast<Key*>(c.address(flood.keys)), static_cast<unsigned*>(c.address(flood.queue)),
               static_cast<const unsigned*>(c.address(flood.seedPixels)),
               static_cast<const unsigned*>(c.address(flood.seedIndices)), flood.seeds);
    };
    if (flood.colours)
        with(Wide{});
    else
        with(0U);
}

inline void launchFinish(LaunchContext& c, const Flood& flood) {
    const unsigned blocks = blocksFor(flood.pixels(), kStepThreads), most = 1U << 20U;
    launch(c, &finish, dim3(blocks < most ? blocks : most), dim3(kStepThreads), 0,
           static_cast<const Wide*>(c.address(flood.keys)), static_cast<int*>(c.address(flood.output)), flood.pixels());
}

StepsEntry steps_entry() { return {.start = &launchStart, .finish = &launchFinish}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
