// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

namespace warplens::gpu {

/// The least float that is not below `bound`, so that comparing floats with it is comparing them with the double.
inline float floatAtLeast(double bound) {
    constexpr float kMost = std::numeric_limits<float>::max(), kInfinity = std::numeric_limits<float>::infinity();
    if (std::isinf(bound)) return static_cast<float>(bound);
    if (bound < -kMost) return -kMost;
    if (bound > kMost) return kInfinity;
    const auto near = static_cast<float>(bound);
    return static_cast<double>(near) < bound ? std::nextafter(near, kInfinity) : near;
}

/// The largest float that is not above it: v > bound for a float v, or an integer that one holds, is v > this.
inline float floatAtMost(double bound) { return -floatAtLeast(-bound); }

}  // namespace warplens::gpu
