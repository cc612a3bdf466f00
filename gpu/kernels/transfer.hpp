// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <memory>

namespace warplens::gpu {

/// Makes `resident` hold the grid's planes: uploads and deinterleaves unless it does already. Times are kept in it.
/// Padded ones are freed, unless they are of this grid and `keepPadded`.
void keepResident(Device& device, const std::shared_ptr<const io::Grid>& grid, Resident& resident,
                  bool keepPadded = false);

/// Makes resident.padded hold the planes once more, with rows of `pitch` values.
void keepPadded(Device& device, Resident& resident, std::int64_t pitch);

/// Brings planes of the grid's shape and type to the host, interleaved. Adds to the times in milliseconds.
void downloadPlanes(Device& device, const Buffer& planes, io::Grid& to, double& layoutMs, double& downloadMs);

}  // namespace warplens::gpu
