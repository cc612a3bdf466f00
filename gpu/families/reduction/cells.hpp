// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace warplens::gpu::reduction {

/// 64 bits as CUDA's atomics want them.
using Wide = unsigned long long;

/// No place: of an extreme that no value has made.
constexpr Wide kNowhere = ~Wide{0};

// What a reduction carries of the values it has seen: 64-bit words, the same on host and devices. Each begins as that
// of no values. Places count values of the channel from its first.

struct IntegerStatistics {
    std::uint32_t minimum = ~std::uint32_t{0}, maximum = 0;
    Wide minimumAt = kNowhere, maximumAt = kNowhere;
    Wide sum = 0, squares = 0;
};

/// Sums leave NaN out. The variance follows from the sums of x - p and (x - p)^2: p is one of the values, so that what
/// cancels is at most n times what is left.
struct FloatStatistics {
    float minimum = std::numeric_limits<float>::infinity(), maximum = -std::numeric_limits<float>::infinity();
    Wide minimumAt = kNowhere, maximumAt = kNowhere, nan = 0;
    double sums[3] = {0, 0, 0};  ///< x, x - p, (x - p)^2
};

struct IntegerComparison {
    Wide largest = 0;  ///< |a - b|
    Wide mismatches = 0;
    Wide dot = 0, magnitude = 0, squares = 0;
};

/// Pairs with a NaN are in no sum; one of two NaN is no mismatch.
struct FloatComparison {
    float low = std::numeric_limits<float>::infinity();  ///< of the finite values compared with
    float high = -std::numeric_limits<float>::infinity();
    float largest = 0;  ///< |a - b|
    float unused = 0;
    Wide mismatches = 0, nan = 0;
    double sums[3] = {0, 0, 0};  ///< a b, |a - b|, (a - b)^2
};

}  // namespace warplens::gpu::reduction
