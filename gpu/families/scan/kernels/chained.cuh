// SPDX-License-Identifier: Apache-2.0
// Idea: one kernel: each tile waits for the sum up to the tile before it, and hands on its own.
// Changed from three_kernels: values are read and written once; all tiles wait in one line.
// Needs: tiles numbered by a ticket, so that a block waits only for blocks that have begun; sums of 32 bits.
// Block: block_width threads, 8 values each in registers, a sum a warp of shared memory.
// Source: Yan, Long and Zhang, StreamScan, 2013; Kirk and Hwu, 4th ed., section 11.7; re-derived.
// Look at: bytes are the least there can be, and yet it is slow: a tile takes a trip through memory after another.
#pragma once

#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void chained(Scan<Sum> scan, Wide* states) {
    const auto [number, turn] = drawTile(states, scan.tiles());
    const Tile tile = scan.tile(number);
    Wide* const own = states + StatesLayout::kFirst + number;
    StripedSums<Sum> sums;
    sums.scan(scan, tile);
    Sum* const shared = sharedSums<Sum>();
    __syncthreads();  // sums of warps are done with
    if (threadIdx.x == 0) {
        const Sum before = tile.number == 0 ? Sum{0} : sumOf<Sum>(waitForStatus(turn, own - 1));
        publish(own, packTileState(turn, kInclusive, before + sums.total));
        shared[0] = before;
    }
    __syncthreads();
    sums.store(scan, tile, shared[0]);
}

inline void launchChained(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatchNarrow(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        const auto scan = scanOf<Sum>(c, s, threads * StatesPolicy::kValues);
        launch(c, &chained<Sum>, dim3(static_cast<unsigned>(scan.tiles())), dim3(threads), kScanShared<Wide>, scan,
               statesOf(c, s.scratch));
    });
}

KernelEntry chained_entry() {
    return {.scan = &launchChained,
            .footprint = &stripedFootprint,
            .scratchBytes = &stripedScratch,
            .depth = &depthOfChain,
            .wide = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
