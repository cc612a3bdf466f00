// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplens::gpu {

/// Values in linear memory behind a texture object of CUDA's, from `first` on.
struct LinearTexture {
    std::uint64_t texture = 0;
    unsigned first = 0;
};

/// Of `count` values of 1, 2 or 4 bytes in memory of the current device. Throws Error.
LinearTexture linearTextureOf(const void* values, std::size_t count, std::size_t valueBytes, bool floats);

}  // namespace warplens::gpu
