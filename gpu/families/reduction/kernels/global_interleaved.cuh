// SPDX-License-Identifier: Apache-2.0
// Idea: a block adds its values up as a tree: neighbours first, then pairs of pairs; every level in global memory.
// Changed from atomic: a block hands on one cell, and those of the blocks are folded by a second kernel.
// Needs: block_width a power of two; a cell per thread in global memory, of 2^20 values at a time.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 10.3 (figure 10.6); re-derived.
// Look at: the sectors of the tree: each level reads half as many cells as the one below, from as many sectors.
#pragma once

#include "gpu/families/reduction/global_cells.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void global_interleaved(M in, Wide first, Wide* store, typename M::Cell* parts) {
    const auto cells = cellsOfBlock<M>(store);
    const unsigned t = threadIdx.x;
    typename M::Cell mine;
    const Wide at = first + Wide{blockIdx.x} * blockDim.x + t;
    if (at < in.count) in.add(mine, at);
    cells.put(t, mine);

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();  // the level below is complete
        if (t % (2 * stride) == 0) {
            mine = cells.get(t);
            M::merge(mine, cells.get(t + stride));
            cells.put(t, mine);
        }
    }
    if (t == 0) storeCell(parts + blockIdx.x, cells.get(0));
}

inline void launchGlobalInterleaved(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        launchGlobalTree<M>(c, a, blockWidthOf(t), &global_interleaved<M>);
    });
}

KernelEntry global_interleaved_entry() {
    return {.launch = &launchGlobalInterleaved,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfGlobalCells,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
