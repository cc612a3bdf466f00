// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/check.hpp"

#include <cuda_runtime_api.h>

namespace warplens::gpu::cuda {

class Event {
public:
    /// Without cudaEventDisableTiming it tells the time.
    explicit Event(unsigned flags = cudaEventDefault) { WARPLENS_CUDA(cudaEventCreateWithFlags(&m_event, flags)); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return m_event; }

private:
    cudaEvent_t m_event = nullptr;
};

}  // namespace warplens::gpu::cuda
