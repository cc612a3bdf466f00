// SPDX-License-Identifier: Apache-2.0
// Idea: a block cuts its part out of both lists once, stages tiles of them, and its threads search and merge there.
// Changed from co_rank: reads of global memory are coalesced, searches are short and in shared memory.
// Needs: shared memory for two tiles.
// Block: block_width threads, 2 x block_width x outputs_per_thread values of shared memory.
// Source: Kirk and Hwu, 4th ed., section 12.6; re-derived.
// Look at: loads: of two tiles staged a round, one is used up; the rest is loaded again.
#pragma once

#include "gpu/families/merge/rounds.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

template <class O>
__global__ void tiled(Pairs<O> pairs, unsigned outputs) {
    const auto stretch = pairs.stretch(blockIdx.x);
    if (stretch.count == 0) return;
    const O& order = pairs.order;
    const auto section = sectionOf(stretch);
    const unsigned tile = blockDim.x * outputs;
    auto *const keysA = sharedKeys<O>(), *const keysB = keysA + tile;
    unsigned aDone = 0;
    for (unsigned done = 0; done < stretch.count; done += tile) {
        const unsigned bDone = done - aDone;
        const unsigned aCount = lesser(tile, section.aCount - aDone), bCount = lesser(tile, section.bCount - bDone);
        for (unsigned i = threadIdx.x; i < aCount; i += blockDim.x) keysA[i] = order.key(section.a[aDone + i]);
        for (unsigned i = threadIdx.x; i < bCount; i += blockDim.x) keysB[i] = order.key(section.b[bDone + i]);
        __syncthreads();
        aDone += mergeRound(
            order, section.out + done, lesser(tile, stretch.count - done), outputs, aCount, bCount,
            [&](unsigned i) { return keysA[i]; }, [&](unsigned i) { return keysB[i]; });
        __syncthreads();
    }
}

inline void launchTiled(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) { launchRounds(c, pass, order, t, &tiled<O>); });
}

KernelEntry tiled_entry() {
    return {.merge = &launchTiled, .footprint = &roundsFootprint, .sharedBytes = &roundsShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
