// SPDX-License-Identifier: Apache-2.0
// Idea: a block adds its values up as a tree in shared memory: neighbours first, then pairs of pairs.
// Changed from global_interleaved: the cells of a block's levels lie in shared memory, not in global memory.
// Needs: block_width a power of two.
// Block: block_width threads, a cell each: 56 block_width bytes shared for floats, 40 for integers.
// Source: Harris, Optimizing parallel reduction in CUDA, NVIDIA 2007, kernel 1; Kirk and Hwu, 4th ed., section 10.3.
// Look at: the condition with the modulus: the threads that still work stand apart, so that every warp stays to the
// end.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void interleaved(M in, typename M::Cell* parts) {
    const SharedCells<typename M::Cell> cells{blockDim.x};
    const unsigned t = threadIdx.x;
    typename M::Cell mine;
    const Wide at = Wide{blockIdx.x} * blockDim.x + t;
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

inline void launchInterleaved(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        launchTree<M>(c, a, threads, threads, SharedCells<typename M::Cell>::bytes(threads), &interleaved<M>);
    });
}

KernelEntry interleaved_entry() {
    return {.launch = &launchInterleaved,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
