// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/special_kernels.hpp"
#include "gpu/device/device.hpp"

#include <cstddef>
#include <cuda_runtime.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace warplens::gpu {

struct CudaContext : LaunchContext {
    struct Launch {
        const void* kernel = nullptr;
        std::shared_ptr<const cuda::SpecialKernel> special{};  ///< in its place
        cuda::LaunchExtent extent{};
        std::optional<Specialisation> specialisation{};
    };
    cudaStream_t stream = nullptr;
    std::stop_token stop;
    std::vector<Launch> launches;  ///< the first few since facts were taken; the driver is asked only then
    std::unordered_map<const void*, std::size_t> granted;  ///< shared memory beyond 48 KiB that a kernel may have
    bool planning = false;  ///< launches are noted in `planned` where they are special, and none is made
    std::vector<Special> planned;
    bool weightsToo = false;  ///< instances for a filter's very weights are planned as well
    /// While a graph is recorded: the special instances in it, which it has to hold.
    std::vector<std::shared_ptr<const cuda::SpecialKernel>>* recorded = nullptr;
    std::vector<cuda::ConstantValues> constants;  ///< named ones, set since the last plan was readied
    cuda::SpecialKernels specials;

    void* address(std::uint64_t handle) const override { return reinterpret_cast<void*>(handle); }
    /// Before a launch: notes it, lets the kernel have its shared memory, stops when asked to. Throws Error.
    void record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes);
    /// Notes that an instance is wanted; false: another is to be planned in its place.
    bool plan(const Special& special);
    /// The special instance to launch, noted; null where the general one has to do, of which the next note says so.
    std::shared_ptr<cuda::SpecialKernel> takeSpecial(const Special& special, const cuda::LaunchExtent& extent);
    /// Runs `launches` without launching, and readies the special instances that they asked for.
    void specialise(const std::function<void()>& launches, const cuda::Waiting& waiting);
    void remember(const char* name, std::span<const std::byte> values);
    /// Asks the driver about the noted launches and forgets them.
    LaunchFacts takeFacts();

private:
    void note(Launch launch);
    void planLaunches(const std::function<void()>& launches);
    std::optional<Specialisation> m_general;  ///< of the launch that comes next
};

inline namespace cuda_build {

/// kernel<<<grid, block, sharedBytes, stream>>>(arguments...) on this build's device.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
    auto& cuda = static_cast<CudaContext&>(context);
    if (cuda.planning) return;
    cuda.record(reinterpret_cast<const void*>(kernel), grid, block, sharedBytes);
    kernel<<<grid, block, sharedBytes, cuda.stream>>>(arguments...);
    cuda::check(cudaGetLastError(), "kernel launch");
}

/// What launchSpecial<void(P...)>() does.
template <class F>
struct SpecialLaunch;
template <class... P>
struct SpecialLaunch<void(P...)> {
    static bool go(CudaContext& cuda, const Special& special, const cuda::LaunchExtent& extent, P... arguments) {
        if (!special.wanted()) return false;
        if (cuda.planning) return cuda.plan(special);
        const auto kernel = cuda.takeSpecial(special, extent);
        if (kernel == nullptr) return false;
        void* addresses[] = {&arguments...};
        cuda::SpecialKernels::launch(*kernel, extent, cuda.stream, addresses);
        return true;
    }
};

/// Launches the instance of a kernel of type F that was compiled on the spot. False: it is not there (yet), and nothing
/// was launched.
template <class F, class... A>
bool launchSpecial(LaunchContext& context, const Special& special, dim3 grid, dim3 block, std::size_t sharedBytes,
                   A... arguments) {
    return SpecialLaunch<F>::go(static_cast<CudaContext&>(context), special, {grid, block, sharedBytes}, arguments...);
}

/// Writes a __constant__ array of the calling translation unit, in stream order; `name` is its qualified one.
template <class T, std::size_t N>
void setConstant(LaunchContext& context, T (&symbol)[N], const char* name, const T* values, std::size_t count) {
    auto& cuda = static_cast<CudaContext&>(context);
    cuda.remember(name, std::as_bytes(std::span(values, count)));
    WARPLENS_CUDA(cudaMemcpyToSymbolAsync(symbol, values, count * sizeof(T), 0, cudaMemcpyHostToDevice, cuda.stream));
}

}  // namespace cuda_build
}  // namespace warplens::gpu
