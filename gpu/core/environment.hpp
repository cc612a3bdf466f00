// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

namespace warplens::gpu {

/// Where and with what this process runs; the date is now.
Environment describeEnvironment();

}  // namespace warplens::gpu
