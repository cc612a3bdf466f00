// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/recorder.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::trace {

/// ProgramImage::base() of what is traced, for the hooks.
inline std::uint64_t codeBase = 0;

inline std::uint32_t placeInCode(const void* caller) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(caller) - codeBase);
}

inline void recordAccess(const volatile void* address, std::size_t size, Operation operation, const void* caller,
                         Sharing sharing = Sharing::plain) {
    if (Recorder::active != nullptr)
        Recorder::active->access(address, static_cast<unsigned>(size), operation, placeInCode(caller), sharing);
}

inline void recordBlock(const void* caller) {
    if (Recorder::active != nullptr) Recorder::active->enterBasicBlock(placeInCode(caller));
}

}  // namespace warplens::gpu::trace
