// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/check.hpp"
#include "gpu/device/device.hpp"

#include <cuda_runtime.h>

#include <cstddef>

namespace warplens::gpu {

struct CudaContext : LaunchContext {
    cudaStream_t stream = nullptr;
    LaunchFacts facts;
    std::stop_token stop;
    bool recording = true;  ///< facts cost two driver calls a launch: off while timing

    void* address(std::uint64_t handle) const override { return reinterpret_cast<void*>(handle); }
    /// Before a launch: lets the kernel have its shared memory, asks the driver for the facts, stops when asked to.
    void record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes);
};

inline namespace cuda_build {

/// kernel<<<grid, block, sharedBytes, stream>>>(arguments...) on this build's device.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes, A... arguments) {
    auto& cuda = static_cast<CudaContext&>(context);
    cuda.record(reinterpret_cast<const void*>(kernel), grid, block, sharedBytes);
    kernel<<<grid, block, sharedBytes, cuda.stream>>>(arguments...);
    cuda::check(cudaGetLastError(), "kernel launch");
}

/// Writes a __constant__ array of the calling translation unit, in stream order.
template <class T, std::size_t N>
void setConstant(LaunchContext& context, T (&symbol)[N], const T* values, std::size_t count) {
    auto& cuda = static_cast<CudaContext&>(context);
    WARPLENS_CUDA(cudaMemcpyToSymbolAsync(symbol, values, count * sizeof(T), 0, cudaMemcpyHostToDevice, cuda.stream));
}

}  // namespace cuda_build
}  // namespace warplens::gpu
