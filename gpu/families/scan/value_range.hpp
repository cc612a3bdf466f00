// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu::scan {

/// The exponent of the lowest bit of a finite value that is set: it is a multiple of 2^that. Of 0 the highest of all.
int unitOf(float value);

/// What of a picture of floats decides whether sums of its values are exact in f64. Where they are, nothing is lost
/// when one sum is taken away from another; where they are not, a value of 1e16 leaves its rounding in every difference
/// of sums that held it.
struct ValueRange {
    static constexpr int kHighestUnit = 127, kLowestUnit = -149;

    bool finite = true;             ///< no NaN, no infinity
    int unit = kHighestUnit;        ///< every finite value is a multiple of 2^unit
    double largest = 0;             ///< |x|, of finite values, as all that follows
    double ofRow = 0, ofSlice = 0;  ///< the largest sum of |x| along a row, and over a slice of a channel

    /// Whether sums are exact whose values add up to no more than `magnitude`. A bit is left for its own rounding.
    bool exactUpTo(double magnitude) const { return finite && magnitude < std::ldexp(1, 52 + unit); }
    /// Sums from a slice's first value on.
    bool exactOverSlices() const { return exactUpTo(ofSlice); }
    /// Sums along rows, and down columns of sums of `side` values.
    bool exactInWindows(double side) const { return exactUpTo(std::max(ofRow, largest * side * (side + 1))); }
};

/// Of the first `channels` channels. The grid holds f32.
ValueRange rangeOf(const io::Grid& grid, int channels);

}  // namespace warplens::gpu::scan
