// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <QPointF>
#include <QPolygonF>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// Pixels from the first to before the last on each axis.
struct PixelBox {
    std::int64_t x0 = 0, y0 = 0, z0 = 0, x1 = 0, y1 = 0, z1 = 0;
    bool empty() const { return x0 >= x1 || y0 >= y1 || z0 >= z1; }
    std::int64_t pixels() const { return empty() ? 0 : (x1 - x0) * (y1 - y0) * (z1 - z0); }
    PixelBox united(const PixelBox& other) const {
        if (empty()) return other;
        if (other.empty()) return *this;
        return {std::min(x0, other.x0), std::min(y0, other.y0), std::min(z0, other.z0),
                std::max(x1, other.x1), std::max(y1, other.y1), std::max(z1, other.z1)};
    }
    bool operator==(const PixelBox&) const = default;
};

/// The pixels of a box before and after a change.
struct MaskPatch {
    io::Shape shape;  ///< of the mask that they belong to
    PixelBox box;
    std::vector<std::uint8_t> before, after;
};

/// Pixel centres within `radius` of the way from one point to another, and the pixels of both ends. Returns the box
/// that was looked at, clipped to the mask.
PixelBox drawLine(io::Grid& mask, QPointF from, QPointF to, double radius, std::int64_t z, std::uint8_t ink);
/// Pixel centres inside by the even-odd rule.
PixelBox drawPolygon(io::Grid& mask, const QPolygonF& corners, std::int64_t z, std::uint8_t ink);
std::vector<std::uint8_t> pixelsIn(const io::Grid& mask, const PixelBox& box);
void putPixels(io::Grid& mask, const PixelBox& box, const std::vector<std::uint8_t>& pixels);

}  // namespace warplens::gui
