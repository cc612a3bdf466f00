// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/engine.hpp"

#include <cstring>

namespace warplens::gpu {

struct SimtContext : LaunchContext {
    simt::Engine engine;
    LaunchFacts facts;
    void* address(std::uint64_t handle) const override { return reinterpret_cast<void*>(handle); }
    void record(dim3 grid, dim3 block, std::size_t sharedBytes);
};

inline namespace simt_build {

/// kernel<<<grid, block, sharedBytes>>>(arguments...) on this build's device.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
    auto& simt = static_cast<SimtContext&>(context);
    simt.record(grid, block, sharedBytes);
    const auto closure = [&] { kernel(arguments...); };
    const auto call = [](const void* p) { (*static_cast<const decltype(closure)*>(p))(); };
    simt.engine.run(grid, block, sharedBytes, {call, &closure});
}

/// Writes a __constant__ array of the calling translation unit.
template <class T, std::size_t N>
void setConstant(LaunchContext&, T (&symbol)[N], const T* values, std::size_t count) {
    std::memcpy(symbol, values, count * sizeof(T));
}

}  // namespace simt_build
}  // namespace warplens::gpu
