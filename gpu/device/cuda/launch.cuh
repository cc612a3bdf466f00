// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/check.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <cuda_runtime.h>
#include <unordered_map>
#include <vector>

namespace warplens::gpu {

struct CudaContext : LaunchContext {
    struct Launch {
        const void* kernel;
        dim3 grid, block;
        std::size_t sharedBytes;
    };
    cudaStream_t stream = nullptr;
    std::stop_token stop;
    std::vector<Launch> launches;  ///< the first few since facts were taken; the driver is asked only then
    std::unordered_map<const void*, std::size_t> granted;  ///< shared memory beyond 48 KiB that a kernel may have

    void* address(std::uint64_t handle) const override { return reinterpret_cast<void*>(handle); }
    /// Before a launch: notes it, lets the kernel have its shared memory, stops when asked to. Throws Error.
    void record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes);
    /// Asks the driver about the noted launches and forgets them.
    LaunchFacts takeFacts();
};

inline namespace cuda_build {

/// kernel<<<grid, block, sharedBytes, stream>>>(arguments...) on this build's device.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
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
