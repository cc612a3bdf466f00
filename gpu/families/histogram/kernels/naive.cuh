// SPDX-License-Identifier: Apache-2.0
// Idea: one thread takes one value and adds one to its bin in global memory.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing; any number of bins.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 9.3; re-derived.
// Look at: the atomic add: all threads of the grid that meet in one bin wait for each other.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void naive(Values<T> in, Binner<T> binner, Counter* totals) {
    const std::size_t i = Stride::first();
    if (i < in.count) atomicAdd(&totals[binner(in.data[i])], Counter{1});
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        const dim3 block = blockOf(t);
        launch(c, &naive<T>, gridFor(a.count, block.x), block, 0, valuesOf<T>(c, a), binnerOf<T>(c, a), totalsOf(c, a));
    });
}

KernelEntry naive_entry() {
    return {.launch = &launchNaive, .footprint = &consecutiveFootprint, .mapping = &consecutiveMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
