// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstdint>

namespace warplens::gpu::toy {

/// A threshold on one device, as its launchers see it. Buffers by handle; planes lie one behind the other.
struct Arguments {
    std::uint64_t input = 0, output = 0;
    std::uint64_t above = 0;  ///< a count a channel
    io::PixelType type{};
    int width = 0, height = 0, depth = 1, planes = 1;
    float level = 0;
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
};

/// What stands for "above the level".
constexpr double largestOf(io::PixelType type) {
    return type == io::PixelType::u8 ? 255 : type == io::PixelType::u16 ? 65535 : 1;
}

}  // namespace warplens::gpu::toy
