// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::binary {

/// A picture as kernels see it: channel after channel, width x height x depth each; slices are worked on one by one.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1;
    int colours = 1;    ///< that must be above the level
    float full = 1;     ///< of the type: what is in the result's mask becomes that
    float level = 0;    ///< floatAtMost() of the one that was asked for
    bool thins = true;  ///< to a skeleton; else holes are filled

    std::size_t pixels() const { return static_cast<std::size_t>(width) * height * depth; }
    /// Of a mask whose rows are bits, 32 a word from the lowest on.
    std::size_t words() const { return static_cast<std::size_t>((width + 31) / 32) * height * depth; }
};

/// One case on one device. Buffers by handle; masks are a u32 a pixel, 0 or 1, or bits.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
    std::uint64_t mask = 0;     ///< what is inside; of a skeleton what is left
    std::uint64_t other = 0;    ///< what is left in between; of holes what the background reaches from the edge
    std::uint64_t changes = 0;  ///< u32, not 0 where a pass changed something
};

/// What a kernel file offers to the family, one instance a build: one pass, repeated until it changes nothing.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    /// Why the kernel does not do this, or null; null: it does both.
    const char* (*refusal)(const Case&) = nullptr;
    bool bits = false;
};

/// What comes before and after, the same for every row.
struct StepsEntry {
    void (*begin)(LaunchContext&, const Arguments&, bool bits) = nullptr;   ///< the mask, and the edge's background
    void (*finish)(LaunchContext&, const Arguments&, bool bits) = nullptr;  ///< the result of the last mask
};

}  // namespace warplens::gpu::binary
