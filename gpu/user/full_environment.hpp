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

/// Values as a texture has them, of 1, 2 or 4 bytes; on the CPU `texture` is the address of the values.
struct WarplensTexels {
    std::uint64_t texture;
    unsigned first;
};
extern "C" WarplensTexels warplens_texels(const void* values, unsigned long count, unsigned long valueBytes,
                                          bool floats);
#define WARPLENS_TEXELS

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

/// `arguments` are their addresses, which a GPU is given; on the CPU `call` of the closure runs a thread.
extern "C" void warplens_launch(void* context, const void* kernel, dim3 grid, dim3 block, unsigned long sharedBytes,
                                void (*call)(const void*), const void* closure, void** arguments);
extern "C" bool warplens_launch_special(void* context, const void* special, dim3 grid, dim3 block,
                                        unsigned long sharedBytes, void** arguments);
extern "C" void warplens_set_constant(void* context, void* array, const char* name, const void* values,
                                      unsigned long bytes);

namespace warplens::gpu {
inline namespace user_build {

/// kernel<<<grid, block, sharedBytes>>>(arguments...), by the worker.
template <class... P, class... A>
void launch(LaunchContext& context, void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes,
            A... arguments) {
    const auto typed = [&](P... p) WARPLENS_UNWATCHED {
        const auto closure = [&]() WARPLENS_UNWATCHED { kernel(p...); };
        const auto call = [](const void* c) WARPLENS_UNWATCHED { (*static_cast<const decltype(closure)*>(c))(); };
        void* addresses[] = {&p..., nullptr};
        warplens_launch(&context, reinterpret_cast<const void*>(kernel), grid, block, sharedBytes, call, &closure,
                        addresses);
    };
    typed(arguments...);
}

/// What launchSpecial<void(P...)>() does.
template <class F>
struct SpecialLaunch;
template <class... P>
struct SpecialLaunch<void(P...)> {
    static bool go(LaunchContext& context, const Special& special, dim3 grid, dim3 block, std::size_t sharedBytes,
                   P... p) {
        void* addresses[] = {&p..., nullptr};
        return warplens_launch_special(&context, &special, grid, block, sharedBytes, addresses);
    }
};
/// On a GPU the file's own instance for the task; on the CPU none, where one instance serves as another.
template <class F, class... A>
bool launchSpecial(LaunchContext& context, const Special& special, dim3 grid, dim3 block, std::size_t sharedBytes,
                   A... arguments) {
    return special.wanted() && SpecialLaunch<F>::go(context, special, grid, block, sharedBytes, arguments...);
}

/// Writes a __constant__ array of the file, `name` is its qualified one.
template <class T, std::size_t N>
void setConstant(LaunchContext& context, T (&symbol)[N], const char* name, const T* values, std::size_t count) {
    warplens_set_constant(&context, symbol, name, values, count * sizeof(T));
}

}  // namespace user_build
}  // namespace warplens::gpu
