// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a value adds to a cell, and how two cells become one: the same for every rung.

#include "gpu/families/reduction/cells.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

template <class V>
__device__ void keepLowest(V& kept, Wide& keptAt, V value, Wide at) {
    if (value < kept || (value == kept && at < keptAt)) {
        kept = value;
        keptAt = at;
    }
}

template <class V>
__device__ void keepHighest(V& kept, Wide& keptAt, V value, Wide at) {
    if (value > kept || (value == kept && at < keptAt)) {
        kept = value;
        keptAt = at;
    }
}

/// A channel's own statistics.
template <class T>
struct Statistics {
    using Value = T;
    using Cell = std::conditional_t<sizeof(T) == 4, FloatStatistics, IntegerStatistics>;
    static constexpr bool kFloats = sizeof(T) == 4, kPairs = false, kPlaces = true;

    const T* data;
    Wide count;
    float pivot;

    __device__ void add(Cell& cell, Wide at) const { add(cell, data[at], T{}, at); }
    /// The second value is a comparison's.
    __device__ void add(Cell& cell, T value, T, Wide at) const {
        if constexpr (kFloats) {
            if (value != value) {
                ++cell.nan;
                return;
            }
            const double off = static_cast<double>(value) - static_cast<double>(pivot);
            cell.sums[0] += static_cast<double>(value);
            cell.sums[1] += off;
            cell.sums[2] = fma(off, off, cell.sums[2]);
            keepLowest(cell.minimum, cell.minimumAt, value, at);
            keepHighest(cell.maximum, cell.maximumAt, value, at);
        } else {
            const std::uint32_t v = value;
            cell.sum += v;
            cell.squares += v * v;
            keepLowest(cell.minimum, cell.minimumAt, v, at);
            keepHighest(cell.maximum, cell.maximumAt, v, at);
        }
    }
    __device__ static void merge(Cell& to, const Cell& from) {
        keepLowest(to.minimum, to.minimumAt, from.minimum, from.minimumAt);
        keepHighest(to.maximum, to.maximumAt, from.maximum, from.maximumAt);
        if constexpr (kFloats) {
            to.nan += from.nan;
            for (int i = 0; i < 3; ++i) to.sums[i] += from.sums[i];
        } else {
            to.sum += from.sum;
            to.squares += from.squares;
        }
    }
};

/// How far two channels are from one another.
template <class T>
struct Comparison {
    using Value = T;
    using Cell = std::conditional_t<sizeof(T) == 4, FloatComparison, IntegerComparison>;
    static constexpr bool kFloats = sizeof(T) == 4, kPairs = true, kPlaces = false;

    const T* data;
    const T* with;
    Wide count;

    __device__ void add(Cell& cell, Wide at) const { add(cell, data[at], with[at], at); }
    __device__ void add(Cell& cell, T a, T b, Wide) const {
        if constexpr (kFloats) {
            if (b - b == 0) {  // finite
                cell.low = fminf(cell.low, b);
                cell.high = fmaxf(cell.high, b);
            }
            const bool noA = a != a, noB = b != b;
            if (noA || noB) {
                ++cell.nan;
                if (noA != noB) ++cell.mismatches;
                return;
            }
            // Equal infinities differ by nothing.
            const double off = a == b ? 0.0 : fabs(static_cast<double>(a) - static_cast<double>(b));
            if (a != b) ++cell.mismatches;
            cell.largest = fmaxf(cell.largest, static_cast<float>(off));
            cell.sums[0] = fma(static_cast<double>(a), static_cast<double>(b), cell.sums[0]);
            cell.sums[1] += off;
            cell.sums[2] = fma(off, off, cell.sums[2]);
        } else {
            const std::uint32_t x = a, y = b, off = x > y ? x - y : y - x;
            if (off != 0) ++cell.mismatches;
            if (off > cell.largest) cell.largest = off;
            cell.dot += x * y;
            cell.magnitude += off;
            cell.squares += off * off;
        }
    }
    __device__ static void merge(Cell& to, const Cell& from) {
        to.mismatches += from.mismatches;
        if constexpr (kFloats) {
            to.low = fminf(to.low, from.low);
            to.high = fmaxf(to.high, from.high);
            to.largest = fmaxf(to.largest, from.largest);
            to.nan += from.nan;
            for (int i = 0; i < 3; ++i) to.sums[i] += from.sums[i];
        } else {
            to.largest = to.largest > from.largest ? to.largest : from.largest;
            to.dot += from.dot;
            to.magnitude += from.magnitude;
            to.squares += from.squares;
        }
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
