// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::gpu::distance {

/// Coordinates are kept in 16 bits, the largest of which stands for "none".
constexpr std::int64_t kMaxExtent = 65535;
/// Squared distances in pixels are below this, which stands for "none" between kernels: a square may be added to it.
constexpr std::uint32_t kNoSquare = 0x7fffffff;
/// "none" of a result in squared pixels.
constexpr std::uint32_t kNoneSquared = 0xffffffff;

/// What is computed, without where it lies. Sites are the values at or below the level; NaN is none.
struct Case {
    io::PixelType type{};
    int width = 0, height = 0, depth = 1, channels = 1;
    double level = 0;
    bool squared = false;
    bool millimetres = false;    ///< else in pixels, as integers until the root is taken
    double spacing[3]{1, 1, 1};  ///< of x, y, z; 1 in pixels

    int layers() const { return depth * channels; }
    std::int64_t values() const { return std::int64_t{width} * height * layers(); }
    /// u32 for squared pixels, else f32.
    io::PixelType outputType() const { return squared && !millimetres ? io::PixelType::u32 : io::PixelType::f32; }
};

/// One case on one device, as launchers see it. Buffers by handle.
struct Arguments : Case {
    std::uint64_t input = 0, output = 0, scratch = 0;
};

/// What a kernel file offers to the family, one instance a build. The common signature of all launchers.
struct KernelEntry {
    void (*launch)(LaunchContext&, const Arguments&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    /// Between the kernels; null when there is nothing.
    std::size_t (*scratchBytes)(const Case&) = nullptr;
    /// Dynamic shared memory of a block, the largest of all its kernels; null when none.
    std::size_t (*sharedBytes)(const Case&) = nullptr;
    /// Why the kernel does not compute this there, or empty; null when it computes everything.
    std::string (*refusal)(const Case&, const DeviceInfo&) = nullptr;
    /// Whether a pixel may be given a site that is not its nearest.
    bool approximate = false;
};

}  // namespace warplens::gpu::distance
