// SPDX-License-Identifier: Apache-2.0
// Idea: as long as a level is narrow one block goes from level to level by itself; wide ones take the whole device.
// Changed from privatised: a narrow level costs a barrier of a block, not a launch.
// Needs: a place in the queue for each pixel.
// Block: block_width threads, 8,200 bytes of shared memory.
// Source: Kirk and Hwu, 4th ed., section 15.7; Luo, Wong and Hwu, An Effective GPU Implementation of BFS, 2010.
// Look at: a corridor leaves all but a few threads of one multiprocessor idle, and still it is faster.
#pragma once

#include "gpu/families/flood/private_queue.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

template <class F>
__global__ void narrow(F field, unsigned level) {
    __shared__ unsigned found[2];  // of this level and of the next, in turn
    Slot own = field.slots[0];
    unsigned levels = 0;
    if (threadIdx.x < 2) found[threadIdx.x] = 0;
    __syncthreads();
    while (own.count > 0 && own.count <= kNarrow && levels < kNarrowLevels) {
        const unsigned behind = own.begin + own.count;
        unsigned* const next = &found[levels % 2];
        for (unsigned i = threadIdx.x; i < own.count; i += blockDim.x)
            field.expand(field.queue[own.begin + i], level + levels,
                         [&](unsigned pixel) { field.queue[behind + atomicAdd(next, 1U)] = pixel; });
        __syncthreads();
        own = {behind, *next};
        ++levels;
        // Before the barrier of the next level, which alone adds to it.
        if (threadIdx.x == 0) found[levels % 2] = 0;
        __syncthreads();
    }
    if (threadIdx.x > 0) return;
    field.slots[0] = own;
    field.slots[1].begin = levels;
}

inline void launchNarrow(LaunchContext& c, const Flood& flood, std::uint32_t level, const TunableValues& t) {
    dispatch(c, flood,
             [&]<class F>(F field) { launch(c, &narrow<F>, dim3(1), dim3(blockWidthOf(t)), 0, field, level); });
}

KernelEntry hybrid_entry() {
    return {.levels = &launchPrivateQueues<>, .narrow = &launchNarrow, .footprint = &pixelFootprint, .queues = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
