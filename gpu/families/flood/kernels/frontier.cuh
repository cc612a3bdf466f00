// SPDX-License-Identifier: Apache-2.0
// Idea: a queue holds the pixels of a level; only they look at their neighbours, and those that are new join the queue.
// Changed from vertex: work is proportional to the region, not to the picture times its levels.
// Needs: a launch a level; a place in the queue for each pixel.
// Block: block_width threads; nothing shared.
// Source: Kirk and Hwu, 4th ed., section 15.5; Luo, Wong and Hwu, An Effective GPU Implementation of BFS, 2010.
// Look at: every new pixel adds one to the same counter.
#pragma once

#include "gpu/families/flood/launching.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

template <class F>
__global__ void frontier(F field, unsigned level, unsigned slot) {
    const Slot own = field.slots[slot];
    if (own.count == 0) return;
    const unsigned behind = own.begin + own.count, first = blockIdx.x * blockDim.x + threadIdx.x;
    if (first == 0) field.slots[slot + 1].begin = behind;
    for (unsigned i = first; i < own.count; i += gridDim.x * blockDim.x)
        field.expand(field.queue[own.begin + i], level, [&](unsigned pixel) {
            field.queue[behind + atomicAdd(&field.slots[slot + 1].count, 1U)] = pixel;
        });
}

inline void launchFrontier(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    dispatch(c, flood, [&]<class F>(F field) {
        for (unsigned i = 0; i < batch.launches; ++i)
            launch(c, &frontier<F>, dim3(queueBlocks(flood, t)), dim3(blockWidthOf(t)), 0, field, batch.level + i, i);
    });
}

KernelEntry frontier_entry() { return {.levels = &launchFrontier, .footprint = &pixelFootprint, .queues = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
