// SPDX-License-Identifier: Apache-2.0
// Idea: a thread counts a run of equal bins by itself and adds the run at once.
// Changed from privatised_coarsened: an atomic only where the bin changes, for a comparison a value.
// Needs: any number of bins; those that do not fit shared memory are counted in further passes over the values.
// Block: block_width threads, elements_per_thread values each, 4 (bins + 3) bytes shared.
// Source: Kirk and Hwu, 4th ed., section 9.6 (figure 9.15); re-derived.
// Look at: the branch: smooth pictures save atomics, noise pays for lanes that go separate ways.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void aggregated(Values<T> in, Binner<T> binner, Stretch stretch, Counter* totals) {
    const BlockCounters counters(stretch);
    counters.clear();
    __syncthreads();  // all counters are zero

    unsigned current = 0, run = 0;
    for (std::size_t i = Stride::first(); i < in.count; i += Stride::step()) {
        const unsigned slot = binner(in.data[i]);
        if (slot == current) {
            ++run;
        } else {
            if (run > 0) counters.add(current, run);
            current = slot;
            run = 1;
        }
    }
    if (run > 0) counters.add(current, run);
    __syncthreads();  // the block's values are counted

    counters.flush(totals);
}

inline void launchAggregated(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        forPasses(a, [&](Stretch stretch, std::size_t shared) {
            launch(c, &aggregated<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), shared, valuesOf<T>(c, a),
                   binnerOf<T>(c, a), stretch, totalsOf(c, a));
        });
    });
}

inline WarpMapping aggregatedMapping(const Case& k, const TunableValues& t) {
    const auto perBlock = perBlockOf(t);
    const auto blocks = (k.count + perBlock - 1) / perBlock;
    return {.runStride = blocks * static_cast<std::uint64_t>(t.at("block_width"))};
}

KernelEntry aggregated_entry() {
    return {.launch = &launchAggregated, .footprint = &consecutiveFootprint, .mapping = &aggregatedMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
