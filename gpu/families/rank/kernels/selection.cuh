// SPDX-License-Identifier: Apache-2.0
// Idea: find the result bit by bit: count the window's values that agree so far and have a 0 next, and go where it
// lies. Changed from naive: nothing is kept of the window, and so nothing spills; it is read once a bit, from the
// cache. Needs: nothing; any window, percentile, type and border. Block: block_width x block_height threads, no shared
// memory. Source: radix selection (Knuth, vol. 3, section 5.2.2, exercise); re-derived. Look at: the loads: 8 a value
// for bytes, 32 for floats, whatever the values are.
#pragma once

#include "gpu/families/rank/launching.cuh"

#include <cmath>

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

/// Rows of blocks that a launch has: a large window of a large picture takes seconds, and may be cancelled between two.
inline unsigned rowsOfALaunch(const Arguments& a, const dim3& grid) {
    constexpr double kMostReads = 1e11;  // a tenth of a second on a large GPU
    const double reads = 8.0 * static_cast<double>(io::sizeOf(a.type)) * a.window.values() * a.width * a.height *
                         static_cast<double>(grid.z);
    const double launches = std::min(std::ceil(reads / kMostReads), static_cast<double>(grid.y));
    return static_cast<unsigned>(std::ceil(grid.y / launches));
}

inline void launchSelection(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Picture<T>& p, unsigned layers) {
        const dim3 all = gridOf(a, selectionFootprint(a, t), layers), block = blockOf(t);
        const unsigned rows = rowsOfALaunch(a, all);
        for (unsigned first = 0; first < all.y; first += rows) {
            const dim3 grid(all.x, std::min(rows, all.y - first), all.z);
            launch(c, &selection<T>, grid, block, 0, p, static_cast<int>(first * block.y));
        }
    });
}

KernelEntry selection_entry() { return {.launch = &launchSelection, .footprint = &selectionFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
