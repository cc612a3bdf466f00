// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/cuda/kernel_environment.cuh"
#include "gpu/frame/library_entry.hpp"

#include <memory>
#include <utility>

namespace warplens::gpu::library {

inline cudaStream_t streamOf(Device& device) { return static_cast<CudaContext&>(device.context()).stream; }

/// What calls call(temporary, bytes, i) for each i below `count`, as LibraryEntry::open() returns it. CUB's functions
/// say in `bytes` what scratch they need where `temporary` is null; all calls need the same.
template <class F>
LibraryCalls cubCalls(Device& device, std::uint64_t count, F call) {
    LibraryCalls calls;
    calls.launch = [] {};
    if (count == 0) return calls;
    std::size_t bytes = 0;
    call(nullptr, bytes, 0);
    const auto scratch = std::make_shared<Buffer>(device.allocate(bytes));
    calls.launch = [&device, count, call, bytes, scratch]() mutable {
        void* const temporary = device.context().address(scratch->handle());
        for (std::uint64_t i = 0; i < count; ++i) call(temporary, bytes, i);
    };
    return calls;
}

}  // namespace warplens::gpu::library
