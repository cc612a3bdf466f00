// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/npp.hpp"
#include "gpu/families/rank/arguments.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why NPP has no function for a window, or empty.
std::string nppRankRefusal(const rank::Case& of, const io::Grid& input);

/// nppiFilterMedianBorder, slice by slice.
NppCalls nppRank(Device& device, const rank::Arguments& of);

}  // namespace warplens::gpu::library
