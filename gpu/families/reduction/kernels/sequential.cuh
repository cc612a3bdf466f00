// SPDX-License-Identifier: Apache-2.0
// Idea: the same tree, folded from its far half: a thread adds the cell half a row away to its own.
// Changed from conflicting: the active threads and the cells that they reach for both lie side by side.
// Needs: block_width a power of two.
// Block: block_width threads, a cell each: 56 block_width bytes shared for floats, 40 for integers.
// Source: Harris, NVIDIA 2007, kernel 3; Kirk and Hwu, 4th ed., section 10.4 (figure 10.9); re-derived.
// Look at: blockTree() in launching.cuh: no warp diverges until one is left, and no two lanes meet in a bank.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void sequential(M in, typename M::Cell* parts) {
    typename M::Cell mine;
    const Wide at = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (at < in.count) in.add(mine, at);
    mine = blockTree<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
}

inline void launchSequential(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        launchTree<M>(c, a, threads, threads, SharedCells<typename M::Cell>::bytes(threads), &sequential<M>);
    });
}

KernelEntry sequential_entry() {
    return {.launch = &launchSequential,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
