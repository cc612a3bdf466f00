// SPDX-License-Identifier: Apache-2.0
// Idea: a block counts in a copy of the bins of its own, in global memory, and adds it to the totals once.
// Changed from naive: threads of different blocks no longer meet in a bin; a grid of few blocks strides over the
// values, as each copy has to be cleared and added up.
// Needs: any number of bins; a copy of all counters per block in global memory.
// Block: block_width threads, no shared memory; blocks_per_multiprocessor blocks for each multiprocessor.
// Source: Kirk and Hwu, 4th ed., section 9.4 (figure 9.9); re-derived.
// Look at: the atomics: as many as before, still in global memory, but those of one block alone meet.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void privatised_global(Values<T> in, Binner<T> binner, unsigned slots, unsigned* copies, Counter* totals) {
    unsigned* const mine = copies + std::size_t{blockIdx.x} * slots;
    for (unsigned s = threadIdx.x; s < slots; s += blockDim.x) mine[s] = 0;
    __syncthreads();  // the block's copy is zero

    for (std::size_t i = Stride::first(); i < in.count; i += Stride::step()) atomicAdd(&mine[binner(in.data[i])], 1U);
    __syncthreads();  // the block's values are counted

    for (unsigned s = threadIdx.x; s < slots; s += blockDim.x) {
        if (mine[s] != 0) atomicAdd(&totals[s], Counter{mine[s]});
    }
}

/// No more blocks than have a value to begin with.
inline dim3 privatisedGlobalGrid(const Arguments& a, const TunableValues& t) {
    const std::uint64_t wanted = std::uint64_t(t.at("blocks_per_multiprocessor")) * std::uint64_t(a.multiprocessors);
    const unsigned most = gridFor(a.count, t.at("block_width")).x;
    return dim3(static_cast<unsigned>(std::min<std::uint64_t>(wanted, most)));
}

inline std::size_t privatisedGlobalScratch(const Arguments& a, const TunableValues& t) {
    return std::size_t{privatisedGlobalGrid(a, t).x} * a.slotCount() * sizeof(unsigned);
}

inline void launchPrivatisedGlobal(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        launch(c, &privatised_global<T>, privatisedGlobalGrid(a, t), blockOf(t), 0, valuesOf<T>(c, a),
               binnerOf<T>(c, a), a.slotCount(), static_cast<unsigned*>(c.address(a.scratch)), totalsOf(c, a));
    });
}

KernelEntry privatised_global_entry() {
    return {.launch = &launchPrivatisedGlobal,
            .footprint = &consecutiveFootprint,
            .mapping = &consecutiveMapping,
            .scratchBytes = &privatisedGlobalScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
