// SPDX-License-Identifier: Apache-2.0
// Idea: a smaller grid strides over the values: several a thread, a warp's values side by side.
// Changed from naive: fewer threads, each with a loop; every bin is still in global memory.
// Needs: nothing; any number of bins.
// Block: block_width threads, elements_per_thread values each, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 9.5, interleaved partition (figure 9.14); re-derived.
// Look at: the step of the loop, the whole grid: neighbouring lanes always read neighbouring values.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void coarsened(Values<T> in, Binner<T> binner, Counter* totals) {
    for (std::size_t i = Stride::first(); i < in.count; i += Stride::step()) {
        atomicAdd(&totals[binner(in.data[i])], Counter{1});
    }
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        launch(c, &coarsened<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), 0, valuesOf<T>(c, a), binnerOf<T>(c, a),
               totalsOf(c, a));
    });
}

KernelEntry coarsened_entry() {
    return {.launch = &launchCoarsened, .footprint = &consecutiveFootprint, .mapping = &consecutiveMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
