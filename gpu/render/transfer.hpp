// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::gpu::render {

/// What a ray makes of the values along it.
enum class Mode {
    maximum,  ///< the greatest value, as a colour
    average,  ///< the mean over the ray's way through the volume, as a colour
    shaded    ///< colours laid over each other by their opacity, lit from the eye
};

/// A corner of the opacity curve.
struct OpacityPoint {
    double position = 0;  ///< 0 at the range's low end, 1 at its high end
    double opacity = 0;   ///< 0..1, of a way as long as the smallest voxel edge
    bool operator==(const OpacityPoint&) const = default;
};

/// How a stored value becomes colour and opacity.
struct Transfer {
    double low = 0, high = 1;            ///< stored values at the ends of the colours; low > high inverts
    std::vector<std::uint32_t> colours;  ///< 0xffRRGGBB, evenly over the range; at least one
    std::vector<OpacityPoint> opacity;   ///< by position; straight between, level outside; only shaded uses it
};

/// The curve's value at `position`. No points: 1 everywhere.
double opacityAt(const std::vector<OpacityPoint>& curve, double position);

/// Where the tables of a ray have their entries: kTableSize steps over the range.
constexpr int kTableSize = 1024;

/// Colour in 0..1 and opacity of one entry. As a kernel reads it.
struct alignas(16) TableEntry {
    float red = 0, green = 0, blue = 0, opacity = 0;
};

/// kTableSize entries for steps of `stepMm`, when opacities are meant for `unitMm`.
std::vector<TableEntry> tableOf(const Transfer& transfer, double stepMm, double unitMm);
/// kTableSize + 1 numbers: how many entries before each are not fully transparent.
std::vector<std::int32_t> visibleBefore(const std::vector<TableEntry>& table);

}  // namespace warplens::gpu::render
