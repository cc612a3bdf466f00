// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes several values that lie a block's width apart, so that lanes stay neighbours.
// Changed from consecutive: coalesced again; fewer blocks are started than by naive.
// Needs: nothing.
// Block: block_width threads, no shared memory.
// Source: Hwu, Kirk and El Hajj, Programming Massively Parallel Processors, thread coarsening; re-derived.
// Look at: sectors per load, as few as naive has, with a fraction of its blocks.
#pragma once

#include "gpu/families/elementwise/launching.cuh"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void coarsened(Values<T> values, std::size_t count, int outputs) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * outputs + threadIdx.x;
    for (int k = 0; k < outputs; ++k) {
        const std::size_t i = first + k * blockDim.x;
        if (i < count) values.compute(i);
    }
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Values<T>& values) {
        const int outputs = t.at("outputs_per_thread");
        const dim3 block = rowOf(t);
        launch(c, &coarsened<T>, blocksFor(a.count(), std::size_t{block.x} * outputs), block, 0, values, a.count(),
               outputs);
    });
}

inline Footprint coarsenedFootprint(const Case&, const TunableValues& t) {
    return alongValues(t.at("block_width"), t.at("outputs_per_thread"));
}

KernelEntry coarsened_entry() { return {.launch = &launchCoarsened, .footprint = &coarsenedFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
