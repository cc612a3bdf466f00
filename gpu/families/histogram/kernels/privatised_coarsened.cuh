// SPDX-License-Identifier: Apache-2.0
// Idea: a block's own copy of the bins serves many values per thread before it is added to the totals.
// Changed from privatised: a striding loop between the barriers; clearing and adding up are paid for less often.
// Needs: any number of bins; those that do not fit shared memory are counted in further passes over the values.
// Block: block_width threads, elements_per_thread values each, 4 (bins + 3) bytes shared.
// Source: Kirk and Hwu, 4th ed., section 9.5 (figure 9.14); re-derived.
// Look at: what is left of the cost: one atomic a value in shared memory, lanes with equal bins one after the other.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void privatised_coarsened(Values<T> in, Binner<T> binner, Stretch stretch, Counter* totals) {
    const BlockCounters counters(stretch);
    counters.clear();
    __syncthreads();  // all counters are zero

    for (std::size_t i = Stride::first(); i < in.count; i += Stride::step()) counters.add(binner(in.data[i]), 1);
    __syncthreads();  // the block's values are counted

    counters.flush(totals);
}

inline void launchPrivatisedCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        forPasses(a, [&](Stretch stretch, std::size_t shared) {
            launch(c, &privatised_coarsened<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), shared, valuesOf<T>(c, a),
                   binnerOf<T>(c, a), stretch, totalsOf(c, a));
        });
    });
}

KernelEntry privatised_coarsened_entry() {
    return {.launch = &launchPrivatisedCoarsened, .footprint = &consecutiveFootprint, .mapping = &consecutiveMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
