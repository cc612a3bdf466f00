// SPDX-License-Identifier: Apache-2.0
// Idea: two values of 8 or 16 bits in one register: each minimum and maximum is one of two pixels.
// Changed from hierarchical: a thread computes two tiles side by side with the instructions of one.
// Needs: medians of 3 x 3 to 11 x 11, of bytes and 16-bit integers.
// Block: block_width x block_height threads of 8 x 2 outputs each, no shared memory.
// Source: CUDA's packed minima and maxima (__vminu2, __vmaxu2), fast from capability 9.0 on; our own.
// Look at: half the instructions per pixel of hierarchical.
#pragma once

#include "gpu/families/rank/hierarchy.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void packed_pairs(Picture<T> p) {
    if constexpr (R <= 3)
        medianTilesAtOnce<TwoStrips<T>, R, 1>(p);
    else
        medianTile<TwoStrips<T>, R>(p);
}

inline Footprint packedPairsFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 8, 2); }

inline void launchPackedPairs(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        if constexpr (sizeof(T) <= 2) {
            const auto kernel = a.window.radius == 1   ? &packed_pairs<T, 1>
                                : a.window.radius == 2 ? &packed_pairs<T, 2>
                                : a.window.radius == 3 ? &packed_pairs<T, 3>
                                : a.window.radius == 4 ? &packed_pairs<T, 4>
                                                       : &packed_pairs<T, 5>;
            launch(c, kernel, gridOf(a, packedPairsFootprint(a, t), layers), blockOf(t), 0, p);
        }
    });
}

inline std::string packedPairsRefusal(const Case& c) {
    if (io::sizeOf(c.type) > 2) return "packs values of 8 and 16 bits: hierarchical takes floats";
    return mediansUpTo(c, 5);
}

KernelEntry packed_pairs_entry() {
    return {.launch = &launchPackedPairs,
            .footprint = &packedPairsFootprint,
            .mostThreads = &threadsWithRegisters,
            .refusal = &packedPairsRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
