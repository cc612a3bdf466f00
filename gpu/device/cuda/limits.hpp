// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device_info.hpp"

#include <cuda_runtime_api.h>

namespace warplens::gpu::cuda {

/// Measures copy, read-only and write-only bandwidth (the better of the runtime's call and a kernel of ours) and the
/// fp32 multiply-add rate, median of 20 after 3 warm-ups, on buffers well past L2. Throws Error.
Limits measureLimits(cudaStream_t stream, const DeviceInfo& device);

}  // namespace warplens::gpu::cuda
