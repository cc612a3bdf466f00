// SPDX-License-Identifier: Apache-2.0
#pragma once

// A queue of a block in shared memory, shared by the rungs that have one.

#include "gpu/families/flood/launching.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

/// What does not fit goes to the common queue at once.
constexpr unsigned kPrivate = 2048;

/// A level of the common queue, of which each block collects what it finds before it asks for a place.
template <class F>
__global__ void private_queues(F field, unsigned level, unsigned slot) {
    __shared__ unsigned found[kPrivate];
    __shared__ unsigned count, place;
    const Slot own = field.slots[slot];
    if (blockIdx.x * blockDim.x >= own.count) return;
    unsigned* const next = &field.slots[slot + 1].count;
    const unsigned behind = own.begin + own.count;
    if (threadIdx.x == 0) {
        count = 0;
        if (blockIdx.x == 0) field.slots[slot + 1].begin = behind;
    }
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < own.count; i += gridDim.x * blockDim.x)
        field.expand(field.queue[own.begin + i], level, [&](unsigned pixel) {
            const unsigned at = atomicAdd(&count, 1U);
            if (at < kPrivate)
                found[at] = pixel;
            else
                field.queue[behind + atomicAdd(next, 1U)] = pixel;
        });
    __syncthreads();
    const unsigned kept = count < kPrivate ? count : kPrivate;
    if (kept == 0) return;
    if (threadIdx.x == 0) place = behind + atomicAdd(next, kept);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kept; i += blockDim.x) field.queue[place + i] = found[i];
}

template <class Reading = ByPointer>
void launchPrivateQueues(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    dispatch<Reading>(c, flood, [&]<class F>(F field) {
        for (unsigned i = 0; i < batch.launches; ++i)
            launch(c, &private_queues<F>, dim3(queueBlocks(flood, t)), dim3(blockWidthOf(t)), 0, field, batch.level + i,
                   i);
    });
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
