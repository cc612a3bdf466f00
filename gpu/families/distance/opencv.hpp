// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/distance/arguments.hpp"
#include "io/grid.hpp"

#include <stop_token>
#include <string>

namespace warplens::gpu::library {

/// Relative error that a library's roots in single precision may have.
constexpr double kDistanceBound = 0x1p-22;

/// Why OpenCV has no call that does the same, or empty.
std::string opencvDistanceRefusal(const distance::Case& of, const io::Grid& input);
std::string distanceNote();

/// distanceTransform with DIST_L2 and DIST_MASK_PRECISE of masks made beforehand, channel by channel. Returns
/// milliseconds of the calls alone.
double opencvDistance(const io::Grid& input, const distance::Case& of, io::Grid& output, const std::stop_token& stop);

}  // namespace warplens::gpu::library
