// SPDX-License-Identifier: Apache-2.0
// Idea: every thread takes a chunk of values of its own, as a thread of a CPU would.
// Changed from coarsened: the values of a thread lie side by side, those of a warp far apart.
// Needs: nothing; any number of bins.
// Block: block_width threads, elements_per_thread values each, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 9.5, contiguous partition (figure 9.12); re-derived.
// Look at: the load: a warp's 32 values lie in up to 32 sectors, where the interleaved loop needs one to four.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void coarsened_contiguous(Values<T> in, Binner<T> binner, Counter* totals, int chunk) {
    const std::size_t first = Stride::first() * chunk;
    for (std::size_t i = first; i < first + chunk && i < in.count; ++i) {
        atomicAdd(&totals[binner(in.data[i])], Counter{1});
    }
}

inline void launchCoarsenedContiguous(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        launch(c, &coarsened_contiguous<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), 0, valuesOf<T>(c, a),
               binnerOf<T>(c, a), totalsOf(c, a), t.at("elements_per_thread"));
    });
}

inline Footprint coarsenedContiguousFootprint(const Case&, const TunableValues& t) {
    return rowFootprint(t, t.at("elements_per_thread"));
}

inline WarpMapping coarsenedContiguousMapping(const Case&, const TunableValues& t) {
    return {.laneStride = static_cast<std::uint64_t>(t.at("elements_per_thread"))};
}

KernelEntry coarsened_contiguous_entry() {
    return {.launch = &launchCoarsenedContiguous,
            .footprint = &coarsenedContiguousFootprint,
            .mapping = &coarsenedContiguousMapping};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
