// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu {

/// The layout conversions of one build; buffers by handle, offsets in bytes.
struct LayoutEntry {
    void (*deinterleave)(LaunchContext&, std::uint64_t interleaved, std::uint64_t planar, std::size_t pixels,
                         int channels, io::PixelType) = nullptr;
    void (*interleave)(LaunchContext&, std::uint64_t planar, std::uint64_t interleaved, std::size_t pixels,
                       int channels, io::PixelType) = nullptr;
    /// Copies `count` values from byte offset to byte offset; the types are equal, or the target is f32.
    void (*convert)(LaunchContext&, std::uint64_t from, std::size_t fromOffset, io::PixelType fromType,
                    std::uint64_t to, std::size_t toOffset, io::PixelType toType, std::size_t count) = nullptr;
    /// Copies `rows` rows of `width` values from one pitch to another; a wider one is filled up with zeros.
    void (*repitch)(LaunchContext&, std::uint64_t from, std::int64_t fromPitch, std::uint64_t to, std::int64_t toPitch,
                    std::int64_t width, std::int64_t rows, io::PixelType) = nullptr;
};

/// As built for a device.
const LayoutEntry& layoutEntry(const DeviceInfo& device);

}  // namespace warplens::gpu
