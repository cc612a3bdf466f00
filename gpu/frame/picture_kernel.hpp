// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/grid.hpp"

#include <cstdint>

namespace warplens::gpu {

/// A picture as kernels see it that make another of its shape and type, and take nothing else.
struct PictureCase {
    io::PixelType type{};
    int width = 0, height = 0;
    int planes = 1;  ///< slices of all channels
};
struct PictureArguments : PictureCase {
    std::uint64_t input = 0, output = 0;  ///< handles of buffers, planes one behind the other
};

/// What a kernel file of such a family offers, one instance a build.
struct PictureKernel {
    void (*launch)(LaunchContext&, const PictureArguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
};

inline PictureCase pictureCaseOf(const io::Grid& grid) {
    const io::Shape& s = grid.shape();
    return {grid.type(), static_cast<int>(s.width), static_cast<int>(s.height), static_cast<int>(s.depth * s.channels)};
}

}  // namespace warplens::gpu
