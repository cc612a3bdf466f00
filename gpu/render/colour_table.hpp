// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace warplens::gpu::render {

/// Colour tables even in lightness, but for turbo. As OpenCV has them.
enum class ColourTable { viridis, cividis, magma, inferno, turbo };

/// 256 colours, 0xffRRGGBB, from the low end to the high.
const std::array<std::uint32_t, 256>& coloursOf(ColourTable table);

}  // namespace warplens::gpu::render
