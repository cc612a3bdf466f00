// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::nlmeans {

/// A picture as kernels see it: channel after channel, width x height x depth each.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1;
    int channels = 1;   ///< that are averaged, by one weight: 1, 3 or 4
    bool kept = false;  ///< whether one more lies behind them, to be copied
    Border border{};
    int patch = 1, search = 1;  ///< radii of two squares: what is compared, and where it is looked for
    /// Patches whose squared differences sum to s weigh 2^(falls * max(s - spared, 0)).
    float falls = 0, spared = 0;
};

/// One case on one device. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block; null: none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
};

}  // namespace warplens::gpu::nlmeans
