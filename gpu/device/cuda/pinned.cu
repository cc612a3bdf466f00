// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/pinned.hpp"

#include <string>

namespace warplens::gpu::cuda {

std::shared_ptr<std::byte> pinned(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "cudaHostAlloc", std::to_string(bytes) + " bytes");
    return {static_cast<std::byte*>(memory), [](std::byte* block) {
                // After a sticky fault this fails as well; the memory goes with the process.
                cudaFreeHost(block);
                cudaGetLastError();
            }};
}

}  // namespace warplens::gpu::cuda
