// SPDX-License-Identifier: Apache-2.0
// Idea: reduce first, then scan: tiles are read twice and written once, instead of read and written twice.
// Changed from shuffle: a block takes many values per thread; the first kernel keeps sums alone, the last one scans.
// Needs: block_width whole warps.
// Block: block_width threads, a sum a warp of shared memory.
// Source: Kirk and Hwu, 4th ed., section 11.6; Merrill and Grimshaw 2009; re-derived.
// Look at: bytes per value: 12 of floats, where shuffle has 16.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// The sum of each tile.
template <class Sum>
__global__ void reduce_tiles(Scan<Sum> scan, Sum* totals) {
    const Tile tile = scan.tile(blockIdx.x);
    Sum mine = 0;
    for (unsigned i = threadIdx.x; i < tile.size; i += blockDim.x) mine += scan.load(tile, i);
    const auto sums = blockScan(mine);
    if (threadIdx.x == 0) totals[blockIdx.x] = sums.total;
}

template <class Sum>
__global__ void three_kernels(Scan<Sum> scan, const Sum* before) {
    const Tile tile = scan.tile(blockIdx.x);
    Sum carry = before[blockIdx.x];
    for (unsigned first = 0; first < scan.tileValues; first += blockDim.x) {
        const auto sums = blockScan(scan.load(tile, first + threadIdx.x));
        scan.store(tile, first + threadIdx.x, carry + sums.inclusive, carry + sums.before);
        carry += sums.total;
    }
}

inline void launchThreeKernels(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        const auto scan = scanOf<Sum>(c, s, threads * static_cast<unsigned>(t.at("elements_per_thread")));
        const auto sums = tileSumsOf<Sum>(c, s, scan);
        const dim3 grid(static_cast<unsigned>(scan.tiles()));
        launch(c, &reduce_tiles<Sum>, grid, dim3(threads), kScanShared<Sum>, scan, sums.totals);
        launchTotals(c, scan, sums);
        launch(c, &three_kernels<Sum>, grid, dim3(threads), kScanShared<Sum>, scan,
               static_cast<const Sum*>(sums.before));
    });
}

inline Footprint threeKernelsFootprint(const TunableValues& t) {
    const unsigned threads = blockWidthOf(t);
    return tileFootprint(threads, threads * static_cast<unsigned>(t.at("elements_per_thread")), false);
}

/// 32 values a thread at most are added one after another, in both kernels that read them.
inline double threeKernelsDepth(double length) { return 64 + depthOfTiles(length); }

inline std::size_t threeKernelsScratch(const ScanArguments& s, const TunableValues& t) {
    const auto values = std::uint64_t{blockWidthOf(t)} * static_cast<unsigned>(t.at("elements_per_thread"));
    return 2 * tilesOf(s, values) * sizeOf(s.sum);
}

KernelEntry three_kernels_entry() {
    return {.scan = &launchThreeKernels,
            .footprint = &threeKernelsFootprint,
            .scratchBytes = &threeKernelsScratch,
            .depth = &threeKernelsDepth};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
