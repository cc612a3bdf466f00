// SPDX-License-Identifier: Apache-2.0
// Idea: the same tree, but the threads that work are the first ones, and reach for the cells that stand apart.
// Changed from interleaved: whole warps fall out, so that few diverge; the lanes of one now meet in the banks.
// Needs: block_width a power of two.
// Block: block_width threads, a cell each: 56 block_width bytes shared for floats, 40 for integers.
// Source: Harris, Optimizing parallel reduction in CUDA, NVIDIA 2007, kernel 2; re-derived.
// Look at: the index 2 stride t: at stride 1 two lanes share a bank, at 16 all that still work.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void conflicting(M in, typename M::Cell* parts) {
    const SharedCells<typename M::Cell> cells{blockDim.x};
    const unsigned t = threadIdx.x;
    typename M::Cell mine;
    const Wide at = Wide{blockIdx.x} * blockDim.x + t;
    if (at < in.count) in.add(mine, at);
    cells.put(t, mine);

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();  // the level below is complete
        const unsigned slot = 2 * stride * t;
        if (slot < blockDim.x) {
            mine = cells.get(slot);
            M::merge(mine, cells.get(slot + stride));
            cells.put(slot, mine);
        }
    }
    if (t == 0) storeCell(parts + blockIdx.x, cells.get(0));
}

inline void launchConflicting(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        launchTree<M>(c, a, threads, threads, SharedCells<typename M::Cell>::bytes(threads), &conflicting<M>);
    });
}

KernelEntry conflicting_entry() {
    return {.launch = &launchConflicting,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
