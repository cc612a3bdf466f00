// SPDX-License-Identifier: Apache-2.0
#pragma once

// Windows of floats of any size whose sums are not exact in f64: no sum is ever taken away from another, so that a
// window knows nothing of what it does not hold. Lines are cut into stretches; each value has the sum of its stretch up
// to it and from it on. A window is the end of one stretch, whole ones, and the beginning of another (van Herk 1992,
// with sums in place of extremes). Along rows first; what they sum up to lies column by column, and is summed likewise.

#include "gpu/families/scan/means.cuh"

#include <algorithm>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct WholePolicy {
    static constexpr int kThreads = 128, kOutputs = 512;  ///< of a block, along one line
    static constexpr int kStretch = 31;  ///< odd, so that threads of a warp begin theirs in different banks
};

/// Windows of at least a stretch reach from one into another, but where the line begins or ends.
__host__ __device__ constexpr bool takesStretches(int radius) { return 2 * radius + 1 >= WholePolicy::kStretch; }

/// Values of a line that a block looks at, at most.
__host__ __device__ constexpr int wholeReach(int radius) {
    return WholePolicy::kOutputs + 2 * radius + WholePolicy::kStretch;
}

inline std::size_t wholeShared(int radius) {
    return static_cast<std::size_t>(wholeReach(radius)) * (takesStretches(radius) ? 2 : 1) * sizeof(double);
}

/// One stretch of a line, and the sums of windows in its middle.
struct WholeLine {
    int length, radius, first;  ///< of the line; the first window of the block
    int begin, count;           ///< values looked at, from the beginning of a stretch on
    double *upTo, *from;

    __device__ WholeLine(int lengthOf, int radiusOf, int segment) : length(lengthOf), radius(radiusOf) {
        constexpr int kOutputs = WholePolicy::kOutputs, kStretch = WholePolicy::kStretch;
        first = segment * kOutputs;
        begin = first > radius ? (first - radius) / kStretch * kStretch : 0;
        count = (first + kOutputs + radius < length ? first + kOutputs + radius : length) - begin;
        upTo = sharedSums<double>();
        from = upTo + wholeReach(radius);
    }
    template <class V>
    __device__ void bring(const V* line) const {
        for (int i = static_cast<int>(threadIdx.x); i < count; i += WholePolicy::kThreads)
            upTo[i] = static_cast<double>(line[begin + i]);
        __syncthreads();  // the values are there
        if (!takesStretches(radius)) return;
        constexpr int kStretch = WholePolicy::kStretch;
        for (int low = static_cast<int>(threadIdx.x) * kStretch; low < count; low += WholePolicy::kThreads * kStretch) {
            const int high = low + kStretch < count ? low + kStretch : count;
            double sum = 0;
            for (int i = high; i-- > low;) from[i] = sum += upTo[i];
            sum = 0;
            for (int i = low; i < high; ++i) upTo[i] = sum += upTo[i];
        }
        __syncthreads();  // and their sums
    }
    /// Of the window around a place.
    __device__ double sumAround(int x) const {
        constexpr int kStretch = WholePolicy::kStretch;
        const int left = (x > radius ? x - radius : 0) - begin;
        const int right = (x + radius < length ? x + radius : length - 1) - begin;
        double sum = 0;
        if (!takesStretches(radius)) {
            for (int i = left; i <= right; ++i) sum += upTo[i];
            return sum;
        }
        int stretch = left / kStretch;
        const int last = right / kStretch;
        // Within one stretch it begins with it, or ends with the line.
        if (stretch == last) return left == stretch * kStretch ? upTo[right] : from[left];
        sum = from[left];
        while (++stretch < last) sum += upTo[stretch * kStretch + kStretch - 1];
        return sum + upTo[right];
    }
    /// Calls store(x, sum) for the block's windows.
    template <class F>
    __device__ void eachWindow(F store) const {
        const int end = first + WholePolicy::kOutputs < length ? first + WholePolicy::kOutputs : length;
        for (int x = first + static_cast<int>(threadIdx.x); x < end; x += WholePolicy::kThreads) store(x, sumAround(x));
    }
};

/// Sums of a row's windows go where columns lie: one is `height` values.
template <class T>
__global__ void whole_rows(const T* in, double* parts, Windows w) {
    const Wide rows = Wide(w.height) * w.slices, row = blockIdx.x % rows;
    const WholeLine line(w.width, w.radius, static_cast<int>(blockIdx.x / rows));
    line.bring(in + row * w.width);
    double* const slice = parts + row / w.height * w.width * w.height + row % w.height;
    line.eachWindow([&](int x, double sum) { slice[Wide(x) * w.height] = sum; });
}

template <class T>
__global__ void whole_columns(const T* in, const double* parts, void* out, Windows w) {
    const Wide columns = Wide(w.width) * w.slices, column = blockIdx.x % columns;
    const WholeLine line(w.height, w.radius, static_cast<int>(blockIdx.x / columns));
    line.bring(parts + column * w.height);
    const int x = static_cast<int>(column % w.width);
    const int right = x + w.radius < w.width ? x + w.radius : w.width - 1, left = x > w.radius ? x - w.radius : 0;
    const Wide first = column / w.width * w.width * w.height + x;
    line.eachWindow([&](int y, double sum) {
        const int below = y + w.radius < w.height ? y + w.radius : w.height - 1,
                  above = y > w.radius ? y - w.radius : 0;
        storeMean(in, out, w, first + Wide(y) * w.width, sum, double(right - left + 1) * (below - above + 1));
    });
}

inline void launchWhole(LaunchContext& c, const Windows& w) {
    const auto* const in = static_cast<const float*>(c.address(w.input));
    auto* const parts = static_cast<double*>(c.address(w.sums));
    const auto blocks = [&](int lines, int length) {
        return dim3(static_cast<unsigned>(lines) * static_cast<unsigned>(w.slices) *
                    ceilDiv(length, WholePolicy::kOutputs));
    };
    launch(c, &whole_rows<float>, blocks(w.height, w.width), dim3(WholePolicy::kThreads), wholeShared(w.radius), in,
           parts, w);
    launch(c, &whole_columns<float>, blocks(w.width, w.height), dim3(WholePolicy::kThreads), wholeShared(w.radius), in,
           static_cast<const double*>(parts), c.address(w.output), w);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
