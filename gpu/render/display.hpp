// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/render/display_colours.hpp"
#include "io/grid.hpp"
#include "io/pixel_type.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::render {

/// Which stored rows, or columns, the visible rows or columns of a screen show; all three have one entry each.
struct DisplayLine {
    std::vector<std::int32_t> first, second;
    std::vector<float> weight;  ///< of the second, 0..1; read where the display is smooth

    int size() const { return static_cast<int>(first.size()); }
};

/// The visible part of a picture, at the resolution of the screen. Positions are worked out by whoever looks.
struct Display {
    std::int64_t width = 0, height = 0;  ///< of the picture that the lines were worked out for
    DisplayLine across, down;
    bool smooth = false;  ///< the four values around, interpolated; else the first alone
    int level = 0;        ///< read from the picture reduced by 2^level, each value the mean of four; 0 for labels
    std::int64_t slice = 0;
    DisplayColours colours;
};

/// What the kernels read beside the values.
struct DisplayScene {
    int width = 0, height = 0;  ///< screen pixels
    int stored = 0;             ///< values a row of what is read from
    std::uint64_t plane = 0;    ///< values from one channel to the next
    int channels = 1;
    bool smooth = false, labels = false;
    float low = 0, scale = 1, least = 0, greatest = 0;
    std::uint32_t nan = 0, plusInfinity = 0, minusInfinity = 0, below = 0, above = 0;
};

/// Where its tables begin in one buffer, in bytes.
struct DisplayTables {
    std::size_t acrossFirst = 0, acrossSecond = 0, acrossWeight = 0;
    std::size_t downFirst = 0, downSecond = 0, downWeight = 0;
    std::size_t colours = 0, bytes = 0, end = 0;
};

/// What one build of the display kernels offers; buffers by handle, offsets in values.
struct DisplayEntry {
    /// Mean of each 2 x 2 of `channels` planes; an odd last row or column is averaged with itself.
    void (*halve)(LaunchContext&, std::uint64_t from, std::size_t offset, std::size_t plane, int width, int height,
                  std::uint64_t to, int channels, io::PixelType) = nullptr;
    /// Colours of the visible part, row after row.
    void (*show)(LaunchContext&, const DisplayScene&, const DisplayTables&, std::uint64_t values, std::size_t offset,
                 std::uint64_t tables, std::uint64_t pixels, io::PixelType) = nullptr;
};

/// As built for a device.
const DisplayEntry& displayEntry(const DeviceInfo& device);

}  // namespace warplens::gpu::render
