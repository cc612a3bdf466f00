// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/launch.cuh"

namespace warplens::gpu::cuda {

/// What `work` launches on a stream, as a graph. A launch then costs a fraction of a microsecond. It holds the special
/// instances that the context launched for it. Throws what `work` throws, and Error(device).
std::unique_ptr<LaunchGraph> record(CudaContext& context, cudaStream_t stream, const std::function<void()>& work);

}  // namespace warplens::gpu::cuda
