// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/flood/parameters.hpp"

#include <cstdint>
#include <vector>

namespace warplens::gpu::flood {

/// Seeds as kernels take them. A seed on NaN reaches nothing, not even itself, and of several on a pixel the first
/// counts: they are left out.
struct Seeds {
    std::vector<std::uint32_t> pixels;   ///< x fastest, then y, then z
    std::vector<std::uint32_t> indices;  ///< in the list that was asked for
    /// Of each seed that was asked for, and each channel, the lowest and the highest float inside.
    std::vector<float> bounds;
    bool colours = false;  ///< they accept different pixels
};

Seeds seedsOf(const io::Grid& input, const FloodOptions& asked);

}  // namespace warplens::gpu::flood
