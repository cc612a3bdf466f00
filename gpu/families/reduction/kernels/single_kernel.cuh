// SPDX-License-Identifier: Apache-2.0
// Idea: the block that comes last merges what the others have left, so that no second kernel is launched.
// Changed from vectorised: one launch; each block takes a ticket after its cell is in memory, and the last number works
// on.
// Needs: block_width whole warps; a ticket that is zero, which the last block makes it again.
// Block: block_width threads, one cell per warp in shared memory.
// Source: NVIDIA, CUDA C++ Programming Guide, memory fence functions; cuda-samples threadFenceReduction; re-derived.
// Look at: the fence before the ticket in lastBlock(): without it the cell may be seen after the number.
#pragma once

#include "gpu/families/reduction/packs.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void single_kernel(M in, typename M::Cell* parts, unsigned* ticket, typename M::Cell* result) {
    auto mine = blockByWarps<M>(cellOfPacks(in));
    if (mergeInLastBlock<M>(mine, parts, ticket)) storeCell(result, mine);
}

inline void launchSingleKernel(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const unsigned threads = blockWidthOf(t);
        launch(c, &single_kernel<M>, dim3(static_cast<unsigned>(blocksOfPacks(a, t))), dim3(threads),
               cellsOfWarps<M>(threads), measured<M>(c, a), scratchCells<M>(c, a), ticketOf(c, a), resultOf<M>(c, a));
    });
}

KernelEntry single_kernel_entry() {
    return {.launch = &launchSingleKernel,
            .footprint = &footprintOfPacks,
            .scratchBytes = &scratchOfPacks,
            .compares = true,
            .sameBits = SameBits::onOneDevice};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
