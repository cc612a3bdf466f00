// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/placement.hpp"

#include <algorithm>
#include <string>

namespace warplens::gpu::cuda {

void Memory::place(Placement placement, std::size_t least, int device) {
    int can = 1;
    if (placement == Placement::host) WARPLENS_CUDA(cudaDeviceGetAttribute(&can, cudaDevAttrCanMapHostMemory, device));
    if (placement == Placement::managed) WARPLENS_CUDA(cudaDeviceGetAttribute(&can, cudaDevAttrManagedMemory, device));
    if (can == 0)
        throw Error(Error::Kind::unsupported, placement == Placement::host
                                                  ? "kernels on this GPU cannot access host memory"
                                                  : "this GPU has no managed memory");
    m_placement = placement;
    m_least = least;
}

void* Memory::take(std::size_t bytes) {
    void* memory = nullptr;
    const std::size_t wanted = std::max<std::size_t>(bytes, 1);
    const std::string what = std::to_string(bytes) + " bytes";
    const Placement placement = bytes >= m_least ? m_placement : Placement::device;
    switch (placement) {
        case Placement::device: check(cudaMalloc(&memory, wanted), "cudaMalloc", what); return memory;
        case Placement::host: check(cudaHostAlloc(&memory, wanted, cudaHostAllocMapped), "cudaHostAlloc", what); break;
        case Placement::managed: check(cudaMallocManaged(&memory, wanted), "cudaMallocManaged", what); break;
    }
    m_placed.emplace(reinterpret_cast<std::uint64_t>(memory), placement);
    return memory;
}

void Memory::release(void* memory) noexcept {
    const auto placed = m_placed.find(reinterpret_cast<std::uint64_t>(memory));
    // After a sticky fault these fail as well; the process's memory on the device goes with its context.
    if (placed != m_placed.end() && placed->second == Placement::host)
        cudaFreeHost(memory);
    else
        cudaFree(memory);
    if (placed != m_placed.end()) m_placed.erase(placed);
    cudaGetLastError();
}

}  // namespace warplens::gpu::cuda
