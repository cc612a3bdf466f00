// SPDX-License-Identifier: Apache-2.0
// Idea: the mistake that atomics are for: a thread reads its bin, adds one and writes it back.
// Changed from naive: the addition is a load and a store, between which other threads do the same.
// Needs: nothing; any number of bins. Its counts are wrong on purpose wherever two threads meet in a bin.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 9.2 (figure 9.3, the race); re-derived.
// Look at: the finding of the trace, a race between blocks; within a warp all lanes read before one of them writes.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void racing(Values<T> in, Binner<T> binner, Counter* totals) {
    const std::size_t i = Stride::first();
    const bool mine = i < in.count;
    unsigned slot = 0;
    Counter before = 0;
    if (mine) {
        slot = binner(in.data[i]);
        before = totals[slot];
    }
    __syncwarp();  // so that it goes wrong on every device alike: lanes with equal bins have read the same count
    if (mine) totals[slot] = before + 1;
}

inline void launchRacing(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        const dim3 block = blockOf(t);
        launch(c, &racing<T>, gridFor(a.count, block.x), block, 0, valuesOf<T>(c, a), binnerOf<T>(c, a),
               totalsOf(c, a));
    });
}

KernelEntry racing_entry() {
    return {.launch = &launchRacing, .footprint = &consecutiveFootprint, .mapping = &consecutiveMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
