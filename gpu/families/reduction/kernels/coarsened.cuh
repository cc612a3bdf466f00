// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes many values, a block's width apart, before the block begins its tree.
// Changed from first_add: the tree with its barriers is paid once for many values instead of two.
// Needs: block_width a power of two.
// Block: block_width threads, a cell each: 56 block_width bytes shared for floats, 40 for integers.
// Source: Kirk and Hwu, 4th ed., section 10.8 (figure 10.15); Harris, NVIDIA 2007, kernel 7; re-derived.
// Look at: barriers and shared accesses per value: both fall by elements_per_thread.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void coarsened(M in, typename M::Cell* parts, unsigned elements) {
    typename M::Cell mine;
    const Wide first = Wide{blockIdx.x} * elements * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < elements; ++i) {
        const Wide at = first + i * blockDim.x;
        if (at < in.count) in.add(mine, at);
    }
    mine = blockTree<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t), elements = elementsOf(t);
        launchTree<M>(c, a, threads, std::uint64_t{threads} * elements, SharedCells<typename M::Cell>::bytes(threads),
                      &coarsened<M>, elements);
    });
}

KernelEntry coarsened_entry() {
    return {.launch = &launchCoarsened,
            .footprint = &footprintOfElements,
            .scratchBytes = &scratchOfElements,
            .compares = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
