// SPDX-License-Identifier: Apache-2.0
// Idea: one thread per value adds up everything from its line's first value to its own.
// Changed from nothing: the start of the ladder.
// Needs: lines of up to 16,384 values and 2^31 additions in all: n values take n (n + 1) / 2 of them.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 11.1; re-derived.
// Look at: additions and loads per value, which grow with the line; the last block does all the work of the first and
// more.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void quadratic(Scan<Sum> scan) {
    const Tile tile = scan.tile(blockIdx.x);
    if (threadIdx.x >= tile.size) return;
    const Wide inLine = tile.number * scan.tileValues;
    Wide at = tile.first - inLine * scan.lines.stride;
    Sum sum = 0, before = 0;
    for (Wide i = 0; i <= inLine + threadIdx.x; ++i, at += scan.lines.stride) {
        before = sum;
        sum += scan.in[at];
    }
    scan.store(tile, threadIdx.x, sum, before);
}

inline void launchQuadratic(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        const auto scan = scanOf<Sum>(c, s, threads);
        launch(c, &quadratic<Sum>, dim3(static_cast<unsigned>(scan.tiles())), dim3(threads), 0, scan);
    });
}

inline Footprint quadraticFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t), false);
}
inline double quadraticDepth(double length) { return length; }

KernelEntry quadratic_entry() {
    return {.scan = &launchQuadratic,
            .footprint = &quadraticFootprint,
            .depth = &quadraticDepth,
            .inPlace = false,
            .longest = std::uint64_t{1} << 14,
            .mostAdditions = std::uint64_t{1} << 31};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
