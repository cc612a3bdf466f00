// SPDX-License-Identifier: Apache-2.0
// Idea: each pixel adds up its window, with no running sums at all.
// Changed from nothing: what windows over running sums are to be held against.
// Needs: a small radius: the work grows with its square.
// Block: block_width threads, a pixel each, no shared memory.
// Source: Gonzalez and Woods, Digital Image Processing, 4th ed., section 3.5.
// Look at: time over the radius: where running sums, whose time does not depend on it, overtake.
#pragma once

#include "gpu/families/scan/means.cuh"

#include <type_traits>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct DirectPolicy {
    static constexpr int kLargestRadius = 31;  ///< 3,969 values of 16 bits add up to less than 2^28
};

template <class T>
__global__ void direct(const T* in, void* out, Windows w) {
    using Sum = std::conditional_t<sizeof(T) == 4, double, unsigned>;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= w.width) return;
    const Wide slice = Wide{blockIdx.z} * w.width * w.height;
    const int left = x > w.radius ? x - w.radius : 0, top = y > w.radius ? y - w.radius : 0;
    const int right = x + w.radius < w.width ? x + w.radius : w.width - 1;
    const int bottom = y + w.radius < w.height ? y + w.radius : w.height - 1;
    Sum sum = 0;
    for (int row = top; row <= bottom; ++row) {
        const T* const values = in + slice + Wide(row) * w.width;
        for (int column = left; column <= right; ++column) sum += static_cast<Sum>(values[column]);
    }
    const double pixels = double(right - left + 1) * (bottom - top + 1);
    storeMean(in, out, w, slice + Wide(y) * w.width + x, static_cast<double>(sum), pixels);
}

inline void launchDirect(LaunchContext& c, const Windows& w, const TunableValues& t) {
    io::withSampleType(w.type, [&]<class T>(T) {
        const int threads = static_cast<int>(blockWidthOf(t));
        const dim3 grid(ceilDiv(w.width, threads), static_cast<unsigned>(w.height), static_cast<unsigned>(w.slices));
        launch(c, &direct<T>, grid, dim3(threads), 0, static_cast<const T*>(c.address(w.input)), c.address(w.output),
               w);
    });
}

inline Footprint directFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t), false);
}
inline double directDepth(double length) { return length; }

KernelEntry direct_entry() {
    return {.windows = &launchDirect,
            .footprint = &directFootprint,
            .depth = &directDepth,
            .largestRadius = DirectPolicy::kLargestRadius};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
