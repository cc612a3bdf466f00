// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/npp.hpp"
#include "gpu/families/distance/arguments.hpp"
#include "io/grid.hpp"

#include <string>

namespace warplens::gpu::library {

/// Why NPP has no call that does the same, or empty.
std::string nppDistanceRefusal(const distance::Case& of, const io::Grid& input);

/// nppiDistanceTransformPBA, channel by channel.
NppCalls nppDistance(Device& device, const distance::Arguments& of);

}  // namespace warplens::gpu::library
