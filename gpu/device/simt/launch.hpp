// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/engine.hpp"
#include "gpu/device/special.hpp"

#include <functional>

namespace warplens::gpu {

struct SimtContext : LaunchContext {
    simt::Engine engine;
    LaunchFacts facts;
    /// A test's: the function of an instance that this program does not hold otherwise, or null.
    std::function<void (*(const Special&))()> findSpecial;
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

/// Launches the instance of a kernel that was made for the task, where there is one: a test's own, as nothing compiles
/// here. False: nothing was launched.
template <class F, class... A>
bool launchSpecial(LaunchContext& context, const Special& special, dim3 grid, dim3 block, std::size_t sharedBytes,
                   A... arguments) {
    const auto& find = static_cast<SimtContext&>(context).findSpecial;
    if (!find || !special.wanted()) return false;
    auto* const kernel = reinterpret_cast<F*>(find(special));
    if (kernel != nullptr) launch(context, kernel, grid, block, sharedBytes, arguments...);
    return kernel != nullptr;
}

/// Writes a __constant__ array of the calling translation unit.
template <class T, std::size_t N>
void setConstant(LaunchContext& context, T (&symbol)[N], const char*, const T* values, std::size_t count) {
    static_cast<SimtContext&>(context).engine.setConstant(symbol, values, count * sizeof(T));
}

}  // namespace simt_build
}  // namespace warplens::gpu
