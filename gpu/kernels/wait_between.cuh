// SPDX-License-Identifier: Apache-2.0
#pragma once

// Long work in pieces: a GPU takes launches much faster than it runs them, so that a stop would be heard only by
// launches that are all queued already. Whoever queues pieces of some milliseconds each waits between them; the next
// launch then stops when asked to.

#include "gpu/device/device.hpp"

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

#ifdef __CUDACC__
inline void waitBetween(LaunchContext& context) {
    const auto& cuda = static_cast<const CudaContext&>(context);
    auto capturing = cudaStreamCaptureStatusNone;
    WARPLENS_CUDA(cudaStreamIsCapturing(cuda.stream, &capturing));
    // What is being recorded does not run yet.
    if (capturing == cudaStreamCaptureStatusNone) WARPLENS_CUDA(cudaStreamSynchronize(cuda.stream));
}
#else
/// A launch of the SIMT device returns when it is done, and stops between blocks.
inline void waitBetween(LaunchContext&) {}
#endif

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
