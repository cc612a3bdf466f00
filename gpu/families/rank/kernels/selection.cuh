// SPDX-License-Identifier: Apache-2.0
// Idea: find the result bit by bit: count the window's values that agree so far and have a 0 next, and go where it
// lies.
// Changed from naive: nothing is kept of the window, and so nothing spills; it is read once a bit, from the cache.
// Needs: nothing; any window, percentile, type and border.
// Block: block_width x block_height threads, no shared memory.
// Source: radix selection (Knuth, vol. 3, section 5.2.2, exercise); re-derived.
// Look at: the loads: 8 a value for bytes, 32 for floats, whatever the values are.
#pragma once

#include "gpu/families/rank/launching.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void selection(Picture<T> p, int top) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = top + blockIdx.y * blockDim.y + threadIdx.y;
    if (!p.contains(x, y)) return;
    unsigned found = 0;
    int left = p.index;  // values below the result among those that agree so far
    for (int bit = kKeyBits<T> - 1; bit >= 0; --bit) {
        int zeros = 0;
        forWindow(p, x, y, [&](int key) { zeros += orderedBits<T>(key) >> bit == found >> bit; });
        if (left < zeros) continue;
        left -= zeros;
        found |= 1U << bit;
    }
    *p.target(x, y) = valueOf<T>(static_cast<int>(orderedBits<T>(static_cast<int>(found))));
}

inline Footprint selectionFootprint(const Case& c, const TunableValues& t) { return footprintOf(c, t, 1, 1); }

inline void launchSelection(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const double reads = 8.0 * static_cast<double>(io::sizeOf(a.type)) * a.window.values();
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        forRows(c, a, gridOf(a, selectionFootprint(a, t), layers), blockOf(t), reads,
                [&](const dim3& grid, int top) { launch(c, &selection<T>, grid, blockOf(t), 0, p, top); });
    });
}

KernelEntry selection_entry() {
    return {.launch = &launchSelection, .footprint = &selectionFootprint, .cutsRows = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
