// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/code_needs.hpp"
#include "gpu/device/cuda/launch.cuh"

#include <algorithm>
#include <utility>

namespace warplens::gpu {

void CudaContext::record(const void* kernel, dim3 grid, dim3 block, std::size_t sharedBytes) {
    constexpr std::size_t kWithoutAsking = 48 * 1024, kMostLaunches = 16;
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    if (sharedBytes > kWithoutAsking && granted[kernel] < sharedBytes) {
        WARPLENS_CUDA(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sharedBytes)));
        granted[kernel] = sharedBytes;
    }
    if (launches.size() < kMostLaunches) launches.push_back({kernel, grid, block, sharedBytes});
}

LaunchFacts CudaContext::takeFacts() {
    LaunchFacts facts;
    facts.kernels = 0;
    facts.occupancy = 1;
    for (const Launch& l : std::exchange(launches, {})) {
        cudaFuncAttributes attributes{};
        WARPLENS_CUDA(cudaFuncGetAttributes(&attributes, l.kernel));
        const auto threads = static_cast<int>(l.block.x * l.block.y * l.block.z);
        int blocks = 0, device = 0, most = 0;
        WARPLENS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, l.kernel, threads, l.sharedBytes));
        WARPLENS_CUDA(cudaGetDevice(&device));
        WARPLENS_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device));
        if (facts.kernels++ == 0) {
            facts.grid = {l.grid.x, l.grid.y, l.grid.z};
            facts.block = {l.block.x, l.block.y, l.block.z};
        }
        facts.registers = std::max(facts.registers, attributes.numRegs);
        facts.sharedBytes =
            std::max(facts.sharedBytes, static_cast<std::int64_t>(l.sharedBytes + attributes.sharedSizeBytes));
        facts.localBytes = std::max(facts.localBytes.value_or(0), static_cast<std::int64_t>(attributes.localSizeBytes));
        facts.occupancy = std::min(facts.occupancy, static_cast<double>(blocks) * threads / most);
    }
    return facts;
}

std::optional<int> compiledCapability(const void* kernel, const DeviceInfo& device) {
    cudaFuncAttributes attributes{};
    const int index = std::stoi(device.id.substr(device.id.find(':') + 1));
    if (cudaSetDevice(index) == cudaSuccess && cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess)
        return attributes.ptxVersion;
    // Unless it is sticky, nobody else must find it.
    cudaGetLastError();
    return std::nullopt;
}

}  // namespace warplens::gpu
