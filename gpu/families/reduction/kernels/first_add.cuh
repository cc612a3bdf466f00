// SPDX-License-Identifier: Apache-2.0
// Idea: the first level of the tree is done on the way in: a thread takes two values before it stores a cell.
// Changed from sequential: no thread idles on the first level, and half as many blocks do the work.
// Needs: block_width a power of two.
// Block: block_width threads, a cell each: 56 block_width bytes shared for floats, 40 for integers.
// Source: Harris, NVIDIA 2007, kernel 4; Kirk and Hwu, 4th ed., section 10.5 (figure 10.11); re-derived.
// Look at: the two values of a thread, a block's width apart: each load of a warp still is one row.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void first_add(M in, typename M::Cell* parts) {
    typename M::Cell mine;
    const Wide at = Wide{blockIdx.x} * (2 * blockDim.x) + threadIdx.x;
    if (at < in.count) in.add(mine, at);
    if (at + blockDim.x < in.count) in.add(mine, at + blockDim.x);
    mine = blockTree<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
}

inline void launchFirstAdd(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        launchTree<M>(c, a, threads, 2 * threads, SharedCells<typename M::Cell>::bytes(threads), &first_add<M>);
    });
}

inline Footprint firstAddFootprint(const Case&, const TunableValues& t) { return rowFootprint(blockWidthOf(t), 2); }

KernelEntry first_add_entry() {
    return {.launch = &launchFirstAdd,
            .footprint = &firstAddFootprint,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
