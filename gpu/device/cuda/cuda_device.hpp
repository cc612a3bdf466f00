// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// The CUDA devices of this machine; when there is none, `why` is one plain sentence. Never throws.
std::vector<DeviceInfo> cudaDevices(std::string& why);

/// Opens the device with that index. Throws Error.
std::unique_ptr<Device> openCudaDevice(int index);

/// Fills in the versions of runtime and driver.
void describeCuda(Environment& environment);

}  // namespace warplens::gpu
