// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/special.hpp"

#include <cstddef>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// How a compiler spells a picture's type: unsigned integers of 8 and 16 bits, and floats.
template <class T>
constexpr const char* kTypeName = sizeof(T) == 1   ? "unsigned char"
                                  : sizeof(T) == 2 ? "unsigned short"
                                                   : "float";

/// The instance that was compiled on the spot where it is there, else `general`, which takes the same arguments.
template <class... P, class... A>
void launch(LaunchContext& context, const Special& special, void (*general)(P...), dim3 grid, dim3 block,
            std::size_t sharedBytes, A... arguments) {
    if (!launchSpecial<void(P...)>(context, special, grid, block, sharedBytes, arguments...))
        launch(context, general, grid, block, sharedBytes, arguments...);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
