// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::watershed {

/// A picture as kernels see it: channel after channel, width x height x depth each.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1;
    int colours = 1;      ///< that must be above the level
    float full = 1;       ///< of the type: what is inside becomes that
    float level = 0;      ///< floatAtMost() of the one that was asked for
    float tolerance = 0;  ///< as the root of a square has it
    bool whole = false;   ///< a volume as one; else slice by slice
    /// Of the square of a step along x, y and z; no square in this picture reaches 2^32 - 1.
    std::uint32_t weight[3] = {1, 1, 1};

    std::size_t pixels() const { return static_cast<std::size_t>(width) * height * depth; }
};

/// One case on one device. Buffers by handle; those of scratch have a u32 a pixel.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
    std::uint64_t square = 0;   ///< of the distance to the nearest pixel outside; 0 outside
    std::uint64_t uphill = 0;   ///< the neighbour that is next on the way up, a peak itself
    std::uint64_t peak = 0;     ///< that the way up ends at
    std::uint64_t united = 0;   ///< trees of peaks, each below one before it
    std::uint64_t changes = 0;  ///< u32
};

/// What a kernel file offers to the family, one instance a build: how each pixel finds its peak.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    /// Whether it is launched until it adds nothing to `changes`.
    bool repeats = false;
};

/// What comes before and after, the same for every row.
struct StepsEntry {
    void (*begin)(LaunchContext&, const Arguments&) = nullptr;   ///< distances, ways up, and a peak's own number
    void (*finish)(LaunchContext&, const Arguments&) = nullptr;  ///< unites peaks, and cuts
};

}  // namespace warplens::gpu::watershed
