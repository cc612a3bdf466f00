// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/rank/arguments.hpp"
#include "io/grid.hpp"

#include <stop_token>
#include <string>

namespace warplens::gpu::library {

bool holdsNotANumber(const io::Grid& grid);

/// Why OpenCV has no function for a window, or empty.
std::string opencvRankRefusal(const rank::Case& of, const io::Grid& input);

/// medianBlur, erode or dilate of the first `channels` channels, slice by slice. Returns milliseconds of the calls
/// alone.
double opencvRank(const io::Grid& input, const rank::Case& of, int channels, io::Grid& output,
                  const std::stop_token& stop);

}  // namespace warplens::gpu::library
