// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/product/arguments.hpp"
#include "gpu/families/product/factor.hpp"
#include "io/grid.hpp"

#include <array>
#include <stop_token>
#include <string>

namespace warplens::gpu::library {

/// OpenCV sums in its own order, and by DFT from 11 x 11 on: its stated bound is this many times the kernels'.
constexpr double kOpencvProductFactor = 64;

/// Of bytes it mixes colours by weights rounded to 1 / 1024: three of half that of 255 each, and of what is added.
constexpr double kOpencvByteColours = (3 * 255 + 1) * 0x1p-11;

/// What it does otherwise than the kernels, or empty.
std::string opencvProductNote(const product::Case& asked);

/// Why OpenCV has no function for this, or empty.
std::string opencvProductRefusal(const product::Case& asked);

/// gemm, dct and idct, filter2D or transform, slice by slice and channel by channel. Returns milliseconds of the calls
/// alone, without conversions.
double opencvProduct(const io::Grid& input, const product::Case& asked, const product::Factor& factor,
                     const std::array<float, 12>& weights, io::Grid& output, const std::stop_token& stop);

}  // namespace warplens::gpu::library
