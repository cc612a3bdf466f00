// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

#include <vector>

namespace warplens::gpu {

/// Median, quartiles, minimum and the 95 % interval of the median (order statistics, no distribution assumed).
/// Under six samples the interval is the whole range. `milliseconds` is not empty.
Timing summarise(std::vector<double> milliseconds, Clock clock);

/// Which clock times a kernel on this device.
Clock clockOf(const DeviceInfo& device);

}  // namespace warplens::gpu
