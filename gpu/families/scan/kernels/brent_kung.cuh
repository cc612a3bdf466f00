// SPDX-License-Identifier: Apache-2.0
// Idea: a tree of sums up, and the sums between handed down: about 2 n additions instead of n log n, in twice the
// steps.
// Changed from double_buffered: less work, more barriers, and warps that idle while a few lanes climb the tree.
// Needs: block_width a power of two.
// Block: block_width threads, two sums per thread of shared memory.
// Source: Brent and Kung 1982; Kirk and Hwu, 4th ed., section 11.4; re-derived.
// Look at: barriers and active lanes against operations: a GPU has additions to spare, and no time to wait.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void brent_kung(Scan<Sum> scan, Sum* totals) {
    Sum* const sums = sharedSums<Sum>();
    const Tile tile = scan.tile(blockIdx.x);
    const unsigned me = threadIdx.x, values = 2 * blockDim.x;
    sums[me] = scan.load(tile, me);
    sums[me + blockDim.x] = scan.load(tile, me + blockDim.x);
    for (unsigned apart = 1; apart <= blockDim.x; apart *= 2) {
        __syncthreads();
        const unsigned at = (me + 1) * 2 * apart - 1;
        if (at < values) sums[at] += sums[at - apart];
    }
    for (unsigned apart = blockDim.x / 2; apart >= 1; apart /= 2) {
        __syncthreads();
        const unsigned at = (me + 1) * 2 * apart - 1;
        if (at + apart < values) sums[at + apart] += sums[at];
    }
    __syncthreads();
    for (unsigned at = me; at < values; at += blockDim.x)
        scan.store(tile, at, sums[at], at > 0 ? sums[at - 1] : Sum{0});
    if (me == 0) totals[blockIdx.x] = sums[values - 1];
}

inline void launchBrentKung(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        launchTiles<Sum>(c, s, threads, 2 * threads, 2 * threads * sizeof(Sum), &brent_kung<Sum>);
    });
}

inline Footprint brentKungFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), 2 * blockWidthOf(t), true);
}

KernelEntry brent_kung_entry() {
    return {.scan = &launchBrentKung,
            .footprint = &brentKungFootprint,
            .scratchBytes = &tileSumsBytes<2>,
            .depth = &depthOfTiles};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
