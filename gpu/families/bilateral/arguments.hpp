// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::bilateral {

/// A picture as kernels see it: channel after channel, width x height x depth each.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1;
    int channels = 1;   ///< that are averaged, by one weight: 1, 3 or 4
    bool kept = false;  ///< whether one more lies behind them, to be copied
    Border border{};
    int radius = 1;              ///< of the disc
    float space = 0, value = 0;  ///< a pixel weighs 2^(space * distance^2 + value * difference^2)
};

/// One case on one device. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
    std::uint64_t reach = 0;         ///< columns of the disc to each side, by rows from its centre
    std::uint64_t spaceWeights = 0;  ///< of a quarter of the square around the disc, radius + 1 to a side
    std::uint64_t valueWeights = 0;  ///< by difference; 0: of floats
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block; null: none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
    /// Why the kernel does not take this, or null; null: it takes all.
    const char* (*refusal)(const Case&) = nullptr;
};

}  // namespace warplens::gpu::bilateral
