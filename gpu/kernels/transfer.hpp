// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <memory>

namespace warplens::gpu {

/// Makes `resident` hold the grid's planes: uploads and deinterleaves unless it does already. Times are kept in it.
void keepResident(Device& device, const std::shared_ptr<const io::Grid>& grid, Resident& resident);

/// Brings planes of the grid's shape and type to the host, interleaved. Adds to the times in milliseconds.
void downloadPlanes(Device& device, const Buffer& planes, io::Grid& to, double& layoutMs, double& downloadMs);

}  // namespace warplens::gpu
