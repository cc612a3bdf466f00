// SPDX-License-Identifier: Apache-2.0
// Idea: a tile says its own sum at once; who comes later adds up such sums backwards until it meets one from the start.
// Changed from chained: nobody waits for a chain, but for the loads of blocks that run beside it.
// Needs: tiles numbered by a ticket, so that a block waits only for blocks that have begun; sums of 32 bits.
// Block: block_width threads, 8 values each in registers, a sum a warp of shared memory.
// Source: Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016; re-derived.
// Look at: what a tile says is one word of 64 bits, a sum and what it is, so that no fence stands between the two.
#pragma once

#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void look_back(Scan<Sum> scan, Wide* states) {
    const auto [number, turn] = drawTile(states, scan.tiles());
    const Tile tile = scan.tile(number);
    Wide* const own = states + StatesLayout::kFirst + number;
    StripedSums<Sum> sums;
    sums.scan(scan, tile);
    Sum* const shared = sharedSums<Sum>();
    __syncthreads();  // sums of warps are done with
    if (threadIdx.x == 0) {
        Sum before = 0;
        if (tile.number > 0) {
            publish(own, packTileState(turn, kPartial, sums.total));
            Wide* at = own - 1;
            Wide said = waitForStatus(turn, at);
            for (; statusOf(turn, said) != kInclusive; said = waitForStatus(turn, --at))
                before = sumOf<Sum>(said) + before;
            before = sumOf<Sum>(said) + before;
        }
        publish(own, packTileState(turn, kInclusive, before + sums.total));
        shared[0] = before;
    }
    __syncthreads();
    sums.store(scan, tile, shared[0]);
}

inline void launchLookBack(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatchNarrow(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        const auto scan = scanOf<Sum>(c, s, threads * StatesPolicy::kValues);
        launch(c, &look_back<Sum>, dim3(static_cast<unsigned>(scan.tiles())), dim3(threads), kScanShared<Wide>, scan,
               statesOf(c, s.scratch));
    });
}

KernelEntry look_back_entry() {
    return {.scan = &launchLookBack,
            .footprint = &stripedFootprint,
            .scratchBytes = &stripedScratch,
            .depth = &depthOfChain,
            .wide = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
