// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/filter.hpp"
#include "gpu/kernels/border.hpp"
#include "io/grid.hpp"

#include <cstdint>

namespace warplens::gpu::convolution {

/// The definition at one output value, in double precision.
struct Exact {
    double value = 0;      ///< sum of weight * input, offset added, unrounded
    double magnitude = 0;  ///< sum of |weight * input| plus |offset|
};

/// Convolves (as correlation) at one place; over a single slice unless the filter is deeper than 1. Independent of the
/// kernels: its own border, its own loop.
Exact exactAt(const io::Grid& input, const Filter& filter, Border border, double offset, std::int64_t x, std::int64_t y,
              std::int64_t z, int channel);

}  // namespace warplens::gpu::convolution
