// SPDX-License-Identifier: Apache-2.0
// Idea: one thread walks a line and adds up, as a loop on a CPU does.
// Changed from quadratic: a sum is carried on to the next value, so that n values take n additions.
// Needs: as many lines as threads are to work: rows and columns; all values of a channel are one line.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 11.1; re-derived.
// Look at: sectors per request: columns lie side by side in a warp, rows a row apart.
#pragma once

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class Sum>
__global__ void naive(Scan<Sum> scan) {
    const Wide line = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (line >= scan.lines.count) return;
    Wide at = scan.firstOf(line);
    Sum sum = 0;
    for (Wide i = 0; i < scan.lines.length; ++i, at += scan.lines.stride) {
        const Sum before = sum;
        sum += scan.in[at];
        scan.out[at] = scan.exclusive ? before : sum;
    }
}

inline void launchNaive(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    dispatch(s, [&]<class Sum>(Sum) {
        const unsigned threads = blockWidthOf(t);
        launch(c, &naive<Sum>, dim3(static_cast<unsigned>((s.lines.count + threads - 1) / threads)), dim3(threads), 0,
               scanOf<Sum>(c, s, 1));
    });
}

inline Footprint naiveFootprint(const TunableValues& t) { return tileFootprint(blockWidthOf(t), 1, false); }
inline double naiveDepth(double length) { return length; }

KernelEntry naive_entry() {
    return {.scan = &launchNaive,
            .footprint = &naiveFootprint,
            .depth = &naiveDepth,
            .byLines = true,
            .longest = std::uint64_t{1} << 20};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
