// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"
#include "gpu/render/bricks.hpp"
#include "gpu/render/transfer.hpp"
#include "io/pixel_type.hpp"

#include <cstdint>

namespace warplens::gpu::render {

/// Everything a ray needs to know but the values. Positions are in cells: voxel i's centre lies at i.
struct RayScene {
    int width = 0, height = 0;  ///< pixels
    int extent[3] = {1, 1, 1};  ///< voxels
    int bricks[3] = {1, 1, 1};
    float corner[3] = {0, 0, 0};   ///< centre of pixel (0, 0) on the plane through the volume's middle
    float across[3] = {0, 0, 0};   ///< from a pixel to the one right of it
    float down[3] = {0, 0, 0};     ///< and to the one below
    float step[3] = {0, 0, 0};     ///< from one sample to the next, away from the eye
    float phase = 0.5F;            ///< steps from the face to the first sample
    float toSlope[3] = {1, 1, 1};  ///< 1 / spacing: differences along an axis to slopes a mm
    float forward[3] = {0, 1, 0};  ///< away from the eye, unit length in mm
    float low = 0, scale = 1;      ///< a value's table entry is (value - low) * scale
    float enough = 0;              ///< no maximum beyond this changes the colour
    float flat = 0;                ///< slopes below this have no direction to be lit
    Mode mode = Mode::maximum;
    bool fine = false;  ///< slopes by central differences instead of inside one cell
};

/// What one build of the rays offers.
struct RaycastEntry {
    /// Buffers by handle. Pixels are premultiplied 0xAARRGGBB, width x height.
    struct Handles {
        std::uint64_t values = 0, bricks = 0, table = 0, visible = 0, pixels = 0;
    };
    void (*launch)(LaunchContext&, const RayScene&, const Handles&, io::PixelType) = nullptr;

    struct Memory {
        const void* values = nullptr;
        const BrickRange* bricks = nullptr;
        const TableEntry* table = nullptr;
        const std::int32_t* visible = nullptr;
        std::uint32_t* pixels = nullptr;
    };
    /// The same rays in a plain loop on the calling thread: rows begin to end - 1.
    void (*rows)(const RayScene&, const Memory&, io::PixelType, int begin, int end) = nullptr;
};

/// As built for that device.
const RaycastEntry& raycastEntry(const DeviceInfo& device);

}  // namespace warplens::gpu::render
