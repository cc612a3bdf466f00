// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

#include <cuda_runtime.h>

namespace warplens::gpu::cuda {

/// What `work` launches on the stream, as a graph. A launch then costs a fraction of a microsecond. Throws what `work`
/// throws, and Error(device).
std::unique_ptr<LaunchGraph> record(cudaStream_t stream, const std::function<void()>& work);

}  // namespace warplens::gpu::cuda
