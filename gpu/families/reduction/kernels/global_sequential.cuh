// SPDX-License-Identifier: Apache-2.0
// Idea: the same tree in global memory, folded from its far half: a thread adds the cell half a row away to its own.
// Changed from global_interleaved: the active threads and the cells that they reach for both lie side by side.
// Needs: block_width a power of two; a cell per thread in global memory, of 2^20 values at a time.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., sections 10.4 and 10.5 (figure 10.9); re-derived.
// Look at: sectors and active threads per warp: both as good as in shared memory, yet each level is a round trip to L2.
#pragma once

#include "gpu/families/reduction/global_cells.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void global_sequential(M in, Wide first, Wide* store, typename M::Cell* parts) {
    const auto cells = cellsOfBlock<M>(store);
    const unsigned t = threadIdx.x;
    typename M::Cell mine;
    const Wide at = first + Wide{blockIdx.x} * blockDim.x + t;
    if (at < in.count) in.add(mine, at);
    cells.put(t, mine);

    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();  // the level below is complete
        if (t < stride) {
            mine = cells.get(t);
            M::merge(mine, cells.get(t + stride));
            cells.put(t, mine);
        }
    }
    if (t == 0) storeCell(parts + blockIdx.x, cells.get(0));
}

inline void launchGlobalSequential(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        launchGlobalTree<M>(c, a, blockWidthOf(t), &global_sequential<M>);
    });
}

KernelEntry global_sequential_entry() {
    return {.launch = &launchGlobalSequential,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfGlobalCells,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
