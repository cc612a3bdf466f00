// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "gpu/kernels/border.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::resample {

/// In the order of the parameter's choices.
enum class Method { nearest, bilinear, catmullRom, bicubic, lanczos, area };

/// One axis, of `in` pixels that become `out`.
struct Axis {
    int in = 1, out = 1;
    float stretch = 1;  ///< of the filter, so that it spans an output pixel; 1 where it is not widened
    int reach = 1;      ///< pixels to each side of the centre, of filters
    int taps = 1;       ///< pixels that one output is made of, at most
};

/// A rotation clockwise about the middle. Places of pixels are whole numbers of 2^-32 pixels, so that every build and
/// the host have the same ones.
struct Turn {
    bool turns = false;
    std::int64_t cosine = 0, sine = 0;  ///< times 2^31
};

/// A picture as kernels see it: planes one behind the other.
struct Case {
    io::PixelType type{};
    Method method{};
    Axis x, y;
    int planes = 1;
    Turn turn{};
    Border border = Border::replicate;
};

/// One case on one device. Buffers by handle; weights lie tap by tap, one per output.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0;
    std::uint64_t firstX = 0, weightsX = 0, firstY = 0, weightsY = 0;
    std::uint64_t scratch = 0;
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const TunableValues&) = nullptr;
    /// Dynamic shared memory of a block, and floats between two launches; null: none.
    std::size_t (*sharedBytes)(const Case&, const TunableValues&) = nullptr;
    std::size_t (*scratchFloats)(const Case&) = nullptr;
    /// Why the kernel does not take this, or null; null: it takes all.
    const char* (*refusal)(const Case&) = nullptr;
};

}  // namespace warplens::gpu::resample
