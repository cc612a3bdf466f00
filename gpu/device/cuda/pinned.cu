// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/pinned.hpp"
#include "io/memory.hpp"

#include <cstdlib>
#include <new>
#include <string>

namespace warplens::gpu::cuda {

namespace {

/// On large pages, which takes a tenth of what the driver's own allocation takes; null where those cannot be pinned.
std::shared_ptr<std::byte> registered(std::size_t bytes) {
    std::shared_ptr<std::byte> memory;
    try {
        memory = {io::allocate(bytes), [](std::byte* block) { std::free(block); }};
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    if (cudaHostRegister(memory.get(), bytes, cudaHostRegisterPortable) != cudaSuccess) {
        cudaGetLastError();
        return nullptr;
    }
    std::byte* const at = memory.get();
    return {at, [memory](std::byte* block) {
                // After a sticky fault this fails as well; the memory goes with the process.
                cudaHostUnregister(block);
                cudaGetLastError();
            }};
}

}  // namespace

std::shared_ptr<std::byte> pinned(std::size_t bytes) {
    if (auto memory = bytes < io::kManyBytes ? nullptr : registered(bytes)) return memory;
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "cudaHostAlloc", std::to_string(bytes) + " bytes");
    return {static_cast<std::byte*>(memory), [](std::byte* block) {
                // After a sticky fault this fails as well; the memory goes with the process.
                cudaFreeHost(block);
                cudaGetLastError();
            }};
}

}  // namespace warplens::gpu::cuda
