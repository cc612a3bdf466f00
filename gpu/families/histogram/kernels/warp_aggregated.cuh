// SPDX-License-Identifier: Apache-2.0
// Idea: the lanes of a warp find out which of them have the same bin; one of each group adds for all.
// Changed from privatised_coarsened: a match across the warp before the atomic, so that no two lanes meet in a bin.
// Needs: compute capability 7.0 for the match; any number of bins, in passes where they do not fit shared memory.
// Block: block_width threads, elements_per_thread values each, 4 (bins + 3) bytes shared.
// Source: Adinetz, Optimized filtering with warp-aggregated atomics, NVIDIA 2014, generalised to bins; re-derived.
// Look at: the match: it costs the same for every input, and pays only where many lanes would have met.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void warp_aggregated(Values<T> in, Binner<T> binner, Stretch stretch, Counter* totals) {
    constexpr unsigned kAllLanes = 0xffffffffU, kNothing = 0xffffffffU;
    const BlockCounters counters(stretch);
    counters.clear();
    __syncthreads();  // all counters are zero

    const int lane = threadIdx.x % warpSize;
    // The loop runs by the warp's first value, so that no lane is missing at the match.
    for (std::size_t i = Stride::first(); i - lane < in.count; i += Stride::step()) {
        const unsigned slot = i < in.count ? binner(in.data[i]) : kNothing;
        const unsigned peers = __match_any_sync(kAllLanes, slot);
        if (slot != kNothing && lane == __ffs(peers) - 1) counters.add(slot, __popc(peers));
    }
    __syncthreads();  // the block's values are counted

    counters.flush(totals);
}

inline void launchWarpAggregated(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        forPasses(a, [&](Stretch stretch, std::size_t shared) {
            launch(c, &warp_aggregated<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), shared, valuesOf<T>(c, a),
                   binnerOf<T>(c, a), stretch, totalsOf(c, a));
        });
    });
}

inline WarpMapping warpAggregatedMapping(const Case&, const TunableValues&) { return {.matched = true}; }

KernelEntry warp_aggregated_entry() {
    return {.launch = &launchWarpAggregated, .footprint = &consecutiveFootprint, .mapping = &warpAggregatedMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
