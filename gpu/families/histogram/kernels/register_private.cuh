// SPDX-License-Identifier: Apache-2.0
// Idea: every thread has all counters to itself, in registers: no atomics until the end.
// Changed from privatised_coarsened: a value is compared with every slot instead of being sent to its own.
// Needs: at most 16 bins: registers cannot be indexed, so each counter costs a comparison and an addition a value.
// Block: block_width threads, elements_per_thread values each, 4 (bins + 3) bytes shared, 19 counters in registers.
// Source: after Milic et al., Parallelizing general histogram application for CUDA architectures, SAMOS 2013.
// Look at: the unrolled loop: it costs the same for every input, one value or noise.
#pragma once

#include "gpu/families/histogram/launching.cuh"

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

/// Most bins: with the three slots beside them 19 comparisons a value, and as many registers.
constexpr int kMostRegisterBins = 16;

template <class T>
__global__ void register_private(Values<T> in, Binner<T> binner, Stretch stretch, Counter* totals) {
    constexpr int kSlots = kMostRegisterBins + kSlotsBeside;
    const BlockCounters counters(stretch);
    counters.clear();
    __syncthreads();  // all counters are zero

    unsigned mine[kSlots] = {};
    for (std::size_t i = Stride::first(); i < in.count; i += Stride::step()) {
        const unsigned slot = binner(in.data[i]);
#pragma unroll
        for (unsigned k = 0; k < kSlots; ++k) mine[k] += slot == k ? 1 : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kSlots; ++k) {
        if (mine[k] != 0) counters.add(k, mine[k]);
    }
    __syncthreads();  // every thread has given its counts

    counters.flush(totals);
}

inline void launchRegisterPrivate(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T>(Instance<T>) {
        launch(c, &register_private<T>, gridFor(a.count, perBlockOf(t)), blockOf(t), a.slotCount() * sizeof(unsigned),
               valuesOf<T>(c, a), binnerOf<T>(c, a), Stretch{0, a.slotCount()}, totalsOf(c, a));
    });
}

inline std::string registerPrivateRefusal(const Case& k) {
    if (k.bins <= kMostRegisterBins) return {};
    return std::to_string(k.bins) + " bins: counters in registers suffice for at most " +
           std::to_string(kMostRegisterBins);
}

inline WarpMapping registerPrivateMapping(const Case&, const TunableValues&) { return {.atomics = false}; }

KernelEntry register_private_entry() {
    return {.launch = &launchRegisterPrivate,
            .footprint = &consecutiveFootprint,
            .mapping = &registerPrivateMapping,
            .refusal = &registerPrivateRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
