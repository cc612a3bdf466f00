// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes several neighbouring values, as a thread of a CPU would.
// Changed from grid_stride: lanes of a warp lie outputs_per_thread values apart, so that a load touches more sectors.
// Needs: nothing.
// Block: block_width threads, no shared memory.
// Source: CUDA C++ Best Practices Guide, strided accesses to global memory; re-derived.
// Look at: sectors per load, outputs_per_thread times as many as coarsened has.
#pragma once

#include "gpu/families/elementwise/launching.cuh"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void consecutive(Values<T> values, std::size_t count, int outputs) {
    const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * outputs;
    for (std::size_t i = first; i < first + outputs && i < count; ++i) values.compute(i);
}

inline void launchConsecutive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Values<T>& values) {
        const int outputs = t.at("outputs_per_thread");
        const dim3 block = rowOf(t);
        launch(c, &consecutive<T>, blocksFor(a.count(), std::size_t{block.x} * outputs), block, 0, values, a.count(),
               outputs);
    });
}

inline Footprint consecutiveFootprint(const Case&, const TunableValues& t) {
    return alongValues(t.at("block_width"), t.at("outputs_per_thread"));
}

KernelEntry consecutive_entry() { return {.launch = &launchConsecutive, .footprint = &consecutiveFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
