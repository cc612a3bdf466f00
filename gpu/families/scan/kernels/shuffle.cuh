// SPDX-License-Identifier: Apache-2.0
// Idea: the lanes of a warp scan through registers; shared memory carries one sum a warp.
// Changed from kogge_stone: the same steps within a warp, but three barriers per block whatever its width.
// Needs: block_width whole warps.
// Block: block_width threads, a sum a warp of shared memory.
// Source: NVIDIA, cuda-samples shfl_scan; re-derived.
// Look at: warpInclusive() and blockScan() in launching.cuh.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void shuffle(Scan<Sum> scan, Sum* totals) {
    const Tile tile = scan.tile(blockIdx.x);
    const auto sums = blockScan(scan.load(tile, threadIdx.x));
    scan.store(tile, threadIdx.x, sums.inclusive, sums.before);
    if (threadIdx.x == 0) totals[blockIdx.x] = sums.total;
}

inline void launchShuffle(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        launchTiles<Sum>(c, s, threads, threads, kScanShared<Sum>, &shuffle<Sum>);
    });
}

inline Footprint shuffleFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t), false);
}

KernelEntry shuffle_entry() {
    return {.scan = &launchShuffle,
            .footprint = &shuffleFootprint,
            .scratchBytes = &tileSumsBytes<1>,
            .depth = &depthOfTiles};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
