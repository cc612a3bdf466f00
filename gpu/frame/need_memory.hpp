// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "io/grid.hpp"

#include <cstdint>

namespace warplens::gpu {

/// Throws Error(outOfMemory), in words for a picture or a volume, where a session may not have so many bytes.
void needMemory(const Device& device, const Resident& resident, const io::Grid& input, std::int64_t needs);

}  // namespace warplens::gpu
