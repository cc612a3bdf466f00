// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu {

/// The CPU with CUDA's semantics; always there.
DeviceInfo simtDeviceInfo();
/// Throws Error(unsupported) on a processor older than the kernels are built for.
std::unique_ptr<Device> openSimtDevice();

}  // namespace warplens::gpu
