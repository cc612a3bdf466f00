// SPDX-License-Identifier: Apache-2.0
// Idea: the lanes of a warp add up through registers; shared memory carries one cell a warp.
// Changed from coarsened: two barriers per block instead of one per level, and next to no shared memory.
// Needs: block_width whole warps.
// Block: block_width threads, one cell per warp: 56 / 32 block_width bytes shared for floats, 40 / 32 for integers.
// Source: Luitjens, Faster parallel reductions on Kepler, NVIDIA 2014; re-derived.
// Look at: warpTree() in launching.cuh: a shuffle moves 64 bits from lane to lane without a store or a barrier.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void shuffle(M in, typename M::Cell* parts, unsigned elements) {
    typename M::Cell mine;
    const Wide first = Wide{blockIdx.x} * elements * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < elements; ++i) {
        const Wide at = first + i * blockDim.x;
        if (at < in.count) in.add(mine, at);
    }
    mine = blockByWarps<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
}

inline void launchShuffle(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t), elements = elementsOf(t);
        launchTree<M>(c, a, threads, std::uint64_t{threads} * elements, cellsOfWarps<M>(threads), &shuffle<M>,
                      elements);
    });
}

KernelEntry shuffle_entry() {
    return {.launch = &launchShuffle,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
