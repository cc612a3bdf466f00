// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace warplens::gpu::render {

/// How values become colours, 0xffRRGGBB.
struct DisplayColours {
    static constexpr int kSteps = 1024;

    float low = 0, scale = 1;                       ///< a value's step is (value - low) * scale, rounded and clamped
    float least = 0, greatest = 0;                  ///< values beyond are marked; infinite: none is
    std::array<std::uint32_t, kSteps + 1> table{};  ///< of one channel
    std::array<std::uint8_t, kSteps + 1> bytes{};   ///< of each of three
    bool labels = false;                            ///< of one channel: by labelColour(), without range or table
    std::uint32_t nan = 0, plusInfinity = 0, minusInfinity = 0, below = 0, above = 0;
};

}  // namespace warplens::gpu::render
