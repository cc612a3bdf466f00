// SPDX-License-Identifier: Apache-2.0
// Idea: every thread adds the sum that lies 1, then 2, then 4 ... before its own: few steps, much work.
// Changed from naive: a block scans a tile in shared memory; the tiles' sums are scanned and added by two more kernels.
// Needs: block_width a power of two.
// Block: block_width threads, a sum a thread of shared memory.
// Source: Kogge and Stone 1973; Kirk and Hwu, 4th ed., section 11.2; re-derived.
// Look at: two barriers per step: one before reads, one before writes over what others read.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void kogge_stone(Scan<Sum> scan, Sum* totals) {
    Sum* const sums = sharedSums<Sum>();
    const Tile tile = scan.tile(blockIdx.x);
    const unsigned me = threadIdx.x;
    sums[me] = scan.load(tile, me);
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        __syncthreads();  // the sums of the last step are there
        const Sum before = me >= apart ? sums[me - apart] : Sum{0};
        __syncthreads();  // and read by those who need them
        if (me >= apart) sums[me] += before;
    }
    __syncthreads();
    scan.store(tile, me, sums[me], me > 0 ? sums[me - 1] : Sum{0});
    if (me == blockDim.x - 1) totals[blockIdx.x] = sums[me];
}

inline void launchKoggeStone(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        launchTiles<Sum>(c, s, threads, threads, threads * sizeof(Sum), &kogge_stone<Sum>);
    });
}

inline Footprint koggeStoneFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t), true);
}

KernelEntry kogge_stone_entry() {
    return {.scan = &launchKoggeStone,
            .footprint = &koggeStoneFootprint,
            .scratchBytes = &tileSumsBytes<1>,
            .depth = &depthOfTiles};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
