// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first, precompiled, where the worker compiles a file of the user's in the full form (full_form.hpp): what
// the short form has, the host's side of our own files, and launches, which the worker makes.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// A launcher chooses an instance by the type of samples. Those of the task are all that is compiled here.
#define withSampleType withAnySampleType
#include "io/pixel_type.hpp"
#undef withSampleType

/// Ends the launch: what stands before the file has left out a type that is needed.
extern "C" [[noreturn]] void warplens_other_type();

namespace warplens::io {

/// Follows the environment, once it is known: kBytes, kWords and kFloats.
template <class F>
struct TaskTypes;

template <class F>
constexpr decltype(auto) withSampleType(PixelType type, F&& f) {
    using Types = TaskTypes<F>;
    if constexpr (Types::kBytes)
        if (type == PixelType::u8) return f(std::uint8_t{});
    if constexpr (Types::kWords)
        if (type == PixelType::u16) return f(std::uint16_t{});
    if constexpr (Types::kFloats)
        if (type == PixelType::f32) return f(float{});
    warplens_other_type();
}

}  // namespace warplens::io

#include "gpu/device/device.hpp"
#include "gpu/device/special.hpp"
#include "gpu/user/environment.hpp"

extern "C" void warplens_launch(void* context, const void* kernel, dim3 grid, dim3 block, unsigned long sharedBytes,
                                void (*call)(const void*), const void* closure);
extern "C" void warplens_set_constant(void* context, void* array, const void* values, unsigned long bytes);

namespace warplens::gpu {
inline namespace user_build {

/// kernel<<<grid, block, sharedBytes>>>(arguments...), by the worker.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
    const auto closure = [&]() WARPLENS_UNWATCHED { kernel(arguments...); };
    const auto call = [](const void* p) WARPLENS_UNWATCHED { (*static_cast<const decltype(closure)*>(p))(); };
    warplens_launch(&context, reinterpret_cast<const void*>(kernel), grid, block, sharedBytes, call, &closure);
}

/// The file's own instance is what runs.
template <class F, class... A>
bool launchSpecial(LaunchContext&, const Special&, dim3, dim3, std::size_t, A...) {
    return false;
}

/// Writes a __constant__ array of the file.
template <class T, std::size_t N>
void setConstant(LaunchContext& context, T (&symbol)[N], const char*, const T* values, std::size_t count) {
    warplens_set_constant(&context, symbol, values, count * sizeof(T));
}

}  // namespace user_build
}  // namespace warplens::gpu
