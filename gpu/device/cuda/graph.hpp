// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/launch.cuh"

#include <functional>
#include <memory>
#include <vector>

namespace warplens::gpu::cuda {

/// A stream of a device, and the context whose launches go into it.
struct RecordedStream {
    CudaContext* context;
    int device;
    cudaStream_t stream;
};

/// What `work` launches on streams, of one device or of several, as a graph of the first one's: it begins when all that
/// this one was given before is done. A launch then costs a fraction of a microsecond. It holds the special instances
/// that the contexts launched for it. Throws what `work` throws, and Error(device).
std::unique_ptr<LaunchGraph> record(const std::vector<RecordedStream>& streams, const std::function<void()>& work);

}  // namespace warplens::gpu::cuda
