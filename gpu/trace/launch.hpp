// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/special.hpp"
#include "gpu/trace/trace_context.hpp"

#include <cstring>

namespace warplens::gpu {
inline namespace trace_build {

#define WARPLENS_NOT_TRACED __attribute__((no_sanitize_thread, no_sanitize_coverage))

/// kernel<<<grid, block, sharedBytes>>>(arguments...) on the traced device.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
    const auto closure = [&]() WARPLENS_NOT_TRACED { kernel(arguments...); };
    const auto call = [](const void* p) WARPLENS_NOT_TRACED { (*static_cast<const decltype(closure)*>(p))(); };
    static_cast<trace::TraceContext&>(context).run(reinterpret_cast<const void*>(kernel), grid, block, sharedBytes,
                                                   {call, &closure});
}

/// Nothing is compiled for the task at hand here: what is traced is the program's own instance.
template <class F, class... A>
bool launchSpecial(LaunchContext&, const Special&, dim3, dim3, std::size_t, A...) {
    return false;
}

/// Writes a __constant__ array of the calling translation unit.
template <class T, std::size_t N>
void setConstant(LaunchContext&, T (&symbol)[N], const char*, const T* values, std::size_t count) {
    std::memcpy(symbol, values, count * sizeof(T));
}

#undef WARPLENS_NOT_TRACED

}  // namespace trace_build
}  // namespace warplens::gpu
