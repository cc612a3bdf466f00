// SPDX-License-Identifier: Apache-2.0
// Idea: each step reads one array and writes the other, so that nobody writes what another still reads.
// Changed from kogge_stone: one barrier per step instead of two, for twice the shared memory.
// Needs: block_width a power of two.
// Block: block_width threads, two sums per thread of shared memory.
// Source: Hillis and Steele 1986; Kirk and Hwu, 4th ed., section 11.2, exercise on double buffering; re-derived.
// Look at: barriers per block, half of kogge_stone's.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void double_buffered(Scan<Sum> scan, Sum* totals) {
    Sum* from = sharedSums<Sum>();
    Sum* to = from + blockDim.x;
    const Tile tile = scan.tile(blockIdx.x);
    const unsigned me = threadIdx.x;
    from[me] = scan.load(tile, me);
    for (unsigned apart = 1; apart < blockDim.x; apart *= 2) {
        __syncthreads();
        to[me] = me >= apart ? from[me - apart] + from[me] : from[me];
        Sum* const read = from;
        from = to;
        to = read;
    }
    __syncthreads();
    scan.store(tile, me, from[me], me > 0 ? from[me - 1] : Sum{0});
    if (me == blockDim.x - 1) totals[blockIdx.x] = from[me];
}

inline void launchDoubleBuffered(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        launchTiles<Sum>(c, s, threads, threads, 2 * threads * sizeof(Sum), &double_buffered<Sum>);
    });
}

inline Footprint doubleBufferedFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t), true);
}

KernelEntry double_buffered_entry() {
    return {.scan = &launchDoubleBuffered,
            .footprint = &doubleBufferedFootprint,
            .scratchBytes = &tileSumsBytes<1>,
            .depth = &depthOfTiles};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
