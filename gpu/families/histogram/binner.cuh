// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a value to its slot: the bin, or one of the three slots beside them. Exact by the definition in edges.hpp.

#include "gpu/families/histogram/edges.hpp"

#include <cstdint>

namespace warplens::gpu::histogram {
inline namespace WARPLENS_BUILD {

/// Integers look it up, or shift where that says the same.
template <class T>
struct Binner {
    const std::uint32_t* table;
    int shift;

    __device__ unsigned operator()(T v) const { return shift >= 0 ? static_cast<unsigned>(v) >> shift : table[v]; }
};

/// Floats guess, and look at the table of edges where rounding may have misled the guess.
template <>
struct Binner<float> {
    const float* edges;  ///< bins + 1 thresholds
    int bins;
    Guess guess;

    __device__ unsigned operator()(float v) const {
        const float g = (v - guess.lo) * guess.scale;
        const float whole = floorf(g);
        // NaN and infinity fail these comparisons.
        if (fabsf(g - whole - 0.5F) < guess.half && g >= 0.0F && g < guess.limit) return static_cast<unsigned>(whole);
        return decide(v, g);
    }

    __device__ unsigned decide(float v, float g) const {
        if (guess.half > 0.0F && g >= 0.0F && g < guess.limit) {
            // The guess errs by less than half a bin: past one edge at most, the nearest.
            const int nearest = static_cast<int>(rintf(g));
            return v >= edges[nearest] ? nearest : nearest > 0 ? nearest - 1 : bins;
        }
        if (!(v >= edges[0])) return v < edges[0] ? bins : bins + 2;
        if (v >= edges[bins]) return bins + 1;
        int bin = static_cast<int>(fminf(fmaxf(g, 0.0F), static_cast<float>(bins - 1)));
        if (v < edges[bin])
            --bin;
        else if (v >= edges[bin + 1])
            ++bin;
        if (v >= edges[bin] && v < edges[bin + 1]) return bin;
        // Bins finer than floats: the guess may be far off.
        int low = 0, high = bins;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (v >= edges[middle])
                low = middle;
            else
                high = middle;
        }
        return low;
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::histogram
