// SPDX-License-Identifier: Apache-2.0
// Idea: one thread copies the window of its output into an array of its own and sorts it.
// Changed: nothing, this is where the ladder starts.
// Needs: a window of at most 125 values: 11 x 11, 5 x 5 x 5; any percentile and border.
// Block: block_width x block_height threads; 500 bytes of local memory a thread, which is global memory.
// Source: the textbook insertion sort (Knuth, vol. 3, section 5.2.1); re-derived.
// Look at: the array is indexed by variables, so that no register can hold it: every comparison is a load.
#pragma once

#include "gpu/families/rank/launching.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

constexpr int kMostSorted = 125;

template <class T>
__global__ void naive(Picture<T> p, int top) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = top + blockIdx.y * blockDim.y + threadIdx.y;
    if (!p.contains(x, y)) return;
    int values[kMostSorted];
    int* const sorted = values;
    int count = 0;
    forWindow(p, x, y, [sorted, &count](int key) {
        int at = count++;
        for (; at > 0 && sorted[at - 1] > key; --at) sorted[at] = sorted[at - 1];
        sorted[at] = key;
    });
    *p.target(x, y) = valueOf<T>(sorted[p.index]);
}

inline Footprint naiveFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 1, 1); }

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const double moves = 0.5 * a.window.values() * a.window.values();
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        forRows(c, a, gridOf(a, naiveFootprint(a, t), layers), blockOf(t), moves,
                [&](const dim3& grid, int top) { launch(c, &naive<T>, grid, blockOf(t), 0, p, top); });
    });
}

inline std::string naiveRefusal(const Case& c) {
    if (c.window.values() <= kMostSorted) return {};
    return "sorts at most 125 values per thread, here are " + std::to_string(c.window.values()) +
           ": selection takes every window";
}

KernelEntry naive_entry() {
    return {.launch = &launchNaive, .footprint = &naiveFootprint, .refusal = &naiveRefusal, .cutsRows = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
