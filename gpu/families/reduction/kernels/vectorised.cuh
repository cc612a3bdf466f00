// SPDX-License-Identifier: Apache-2.0
// Idea: a thread loads 16 bytes at a time, and only as many blocks are started as run at once.
// Changed from shuffle: fewer and wider loads; a thread's share follows from the grid, not the grid from the share.
// Needs: block_width whole warps; any alignment, the values beside the 16-byte packs are taken one by one.
// Block: block_width threads, one cell per warp in shared memory.
// Source: Luitjens, CUDA Pro Tip: vectorized memory access, NVIDIA 2013; Harris, NVIDIA 2007, kernel 7; re-derived.
// Look at: requests per value: one load of a warp brings 512 bytes.
#pragma once

#include "gpu/families/reduction/packs.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void vectorised(M in, typename M::Cell* parts) {
    const auto mine = blockByWarps<M>(cellOfPacks(in));
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
}

inline void launchVectorised(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        const auto blocks = blocksOfPacks(a, t);
        launch(c, &vectorised<M>, dim3(static_cast<unsigned>(blocks)), dim3(threads), cellsOfWarps<M>(threads),
               measured<M>(c, a), scratchCells<M>(c, a));
        foldAll<M>(c, a, blocks);
    });
}

KernelEntry vectorised_entry() {
    return {.launch = &launchVectorised,
            .footprint = &footprintOfPacks,
            .scratchBytes = &scratchOfPacks,
            .compares = true,
            .sameBits = SameBits::onOneDevice};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
