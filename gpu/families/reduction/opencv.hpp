// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/reduction/figures.hpp"
#include "io/grid.hpp"

#include <string>
#include <vector>

namespace warplens::gpu::library {

/// How its definition differs, for the record.
std::string opencvReductionNote();
/// Why OpenCV cannot measure this picture, or compare it with the other, or empty.
std::string opencvReductionRefusal(const io::Grid& picture, const io::Grid* with);

/// minMaxLoc, sum and meanStdDev, a channel at a time; milliseconds of these calls alone.
std::vector<reduction::ChannelStatistics> opencvStatistics(const io::Grid& picture, double& milliseconds);
/// dot, norm and a count of what differs.
std::vector<reduction::ChannelComparison> opencvComparison(const io::Grid& picture, const io::Grid& with,
                                                           double& milliseconds);

}  // namespace warplens::gpu::library
