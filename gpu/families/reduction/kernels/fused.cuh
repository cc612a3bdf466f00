// SPDX-License-Identifier: Apache-2.0
// Idea: all figures from one read at the speed of memory: few instructions per value, and loads always under way.
// Changed from single_kernel: f64 and 64-bit places once for 16 values of a lane; bytes and halves packed; loads ahead.
// Needs: any alignment; extremes are found to a chunk, and placed in it by the last block.
// Block: 256 threads, one cell per warp in shared memory; at most 3 blocks per multiprocessor, 2 when comparing.
// Source: ours; the shift as in Chan, Golub and LeVeque, Algorithms for computing the sample variance, 1983.
// Look at: take() in chunks.cuh: what is done for every value, and what for a lane's packs together.
#pragma once

#include "gpu/families/reduction/chunks.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class M>
__global__ void __launch_bounds__(ChunkPolicy::kThreads, ChunkPolicy::blocksPerMultiprocessor<M>())
    fused(M in, typename M::Cell* parts, unsigned* ticket, typename M::Cell* result) {
    typename M::Cell mine;
    const Packs<M> packs(in);
    const Wide chunks = packs.count / ChunkPolicy::kPacks;
    const Wide warp = (Wide{blockIdx.x} * blockDim.x + threadIdx.x) / 32, warps = Wide{gridDim.x} * blockDim.x / 32;
    LanePacks<M> ahead;
    if (warp < chunks) ahead.load(packs, warp);
    for (Wide chunk = warp; chunk < chunks; chunk += warps) {
        const LanePacks<M> now = ahead;
        if (chunk + warps < chunks) ahead.load(packs, chunk + warps);
        take<ChunkPolicy::kPacksPerLane>(in, mine, now.own, now.other, packs.firstOf(chunk * ChunkPolicy::kPacks));
    }
    if (warp == warps - 1) takeRest(packs, mine, threadIdx.x % 32);

    mine = blockByWarps<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
    if (!lastBlock(ticket)) return;
    mine = shareOfParts<M>(parts);
    mine = blockByWarps<M>(mine);
    findPlaces(in, mine);
    if (threadIdx.x == 0) storeCell(result, mine);
}

inline void launchFused(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const auto blocks = blocksOfChunks(a, t, ChunkPolicy::blocksPerMultiprocessor<M>());
        launch(c, &fused<M>, dim3(static_cast<unsigned>(blocks)), dim3(ChunkPolicy::kThreads),
               cellsOfWarps<M>(ChunkPolicy::kThreads), measured<M>(c, a), scratchCells<M>(c, a), ticketOf(c, a),
               resultOf<M>(c, a));
    });
}

inline std::size_t fusedScratch(const Arguments& a, const TunableValues& t) {
    return cellsFor(a, blocksOfChunks(a, t));
}

KernelEntry fused_entry() {
    return {.launch = &launchFused,
            .footprint = &footprintOfChunks,
            .scratchBytes = &fusedScratch,
            .compares = true,
            .sameBits = SameBits::onOneDevice,
            .depth = ChunkPolicy::kDepth};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
