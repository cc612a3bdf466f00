// SPDX-License-Identifier: Apache-2.0
// Idea: a block counts in a copy of the bins of its own, in shared memory, and adds it to the totals once.
// Changed from naive: threads of different blocks meet once a bin and block, no longer once a value.
// Needs: any number of bins; those that do not fit shared memory are counted in further passes over the values.
// Block: block_width threads, 4 (bins + 3) bytes shared, at most what the device gives a block.
// Source: Kirk and Hwu, 4th ed., section 9.4 (figure 9.10); re-derived.
// Look at: the two barriers: counters cleared, counters complete.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void privatised(Values<T> in, Binner<T> binner, Stretch stretch, Counter* totals) {
    const BlockCounters counters(stretch);
    counters.clear();
    __syncthreads();  // all counters are zero

    const std::size_t i = Stride::first();
    if (i < in.count) counters.add(binner(in.data[i]), 1);
    __syncthreads();  // the block's values are counted

    counters.flush(totals);
}

inline void launchPrivatised(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        const dim3 block = blockOf(t);
        forPasses(a, [&](Stretch stretch, std::size_t shared) {
            launch(c, &privatised<T>, gridFor(a.count, block.x), block, shared, valuesOf<T>(c, a), binnerOf<T>(c, a),
                   stretch, totalsOf(c, a));
        });
    });
}

KernelEntry privatised_entry() {
    return {.launch = &launchPrivatised, .footprint = &consecutiveFootprint, .mapping = &consecutiveMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
