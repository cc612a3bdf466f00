// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/filter.hpp"
#include "gpu/kernels/border.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <vector>

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

/// Outputs of one slice.
struct Tile {
    std::int64_t x, y, z, width, height;
};

/// The same at a tile's places, row by row, for a filter that is a product: along z, y and x in turn, by its factors.
std::vector<Exact> exactProduct(const io::Grid& input, const Filter& filter, Border border, double offset,
                                const Tile& tile, int channel);
/// Taps that an output of such a tile of one channel costs.
double tapsOfProduct(const Filter& filter, std::int64_t width, std::int64_t height);

}  // namespace warplens::gpu::convolution
