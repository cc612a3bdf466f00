// SPDX-License-Identifier: Apache-2.0
#include "gui/session/mask_raster.hpp"

#include <cmath>
#include <cstring>

namespace warplens::gui {

namespace {

std::uint8_t* rowOf(io::Grid& mask, std::int64_t y, std::int64_t z) {
    const io::Shape& s = mask.shape();
    return mask.as<std::uint8_t>() + (z * s.height + y) * s.width;
}

std::int64_t floorOf(double v) { return static_cast<std::int64_t>(std::floor(v)); }

/// The box of these corners and what lies so far around them, clipped.
PixelBox around(const io::Shape& s, double x0, double y0, double x1, double y1, std::int64_t z) {
    const auto within = [](double v, std::int64_t extent) {
        return static_cast<std::int64_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(extent)));
    };
    return {within(x0, s.width), within(y0, s.height), z, within(x1 + 1, s.width), within(y1 + 1, s.height), z + 1};
}

}  // namespace

PixelBox drawLine(io::Grid& mask, QPointF from, QPointF to, double radius, std::int64_t z, std::uint8_t ink) {
    const io::Shape& s = mask.shape();
    if (z < 0 || z >= s.depth) return {};
    const QPointF way = to - from;
    const double length = QPointF::dotProduct(way, way), reach = std::max(radius, 0.5);
    const PixelBox box = around(s, std::min(from.x(), to.x()) - reach, std::min(from.y(), to.y()) - reach,
                                std::max(from.x(), to.x()) + reach, std::max(from.y(), to.y()) + reach, z);
    for (std::int64_t y = box.y0; y < box.y1; ++y) {
        std::uint8_t* row = rowOf(mask, y, z);
        for (std::int64_t x = box.x0; x < box.x1; ++x) {
            const QPointF at = QPointF(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5) - from;
            const double share = length == 0 ? 0 : std::clamp(QPointF::dotProduct(at, way) / length, 0.0, 1.0);
            const QPointF off = at - share * way;
            if (QPointF::dotProduct(off, off) <= radius * radius) row[x] = ink;
        }
    }
    // However small the brush, the pixel under it is painted.
    for (const QPointF end : {from, to}) {
        const std::int64_t x = floorOf(end.x()), y = floorOf(end.y());
        if (x >= 0 && x < s.width && y >= 0 && y < s.height) rowOf(mask, y, z)[x] = ink;
    }
    return box;
}

PixelBox drawPolygon(io::Grid& mask, const QPolygonF& corners, std::int64_t z, std::uint8_t ink) {
    const io::Shape& s = mask.shape();
    if (corners.size() < 3 || z < 0 || z >= s.depth) return {};
    const QRectF whole = corners.boundingRect();
    const PixelBox box = around(s, whole.left(), whole.top(), whole.right(), whole.bottom(), z);
    std::vector<double> cuts;
    for (std::int64_t y = box.y0; y < box.y1; ++y) {
        const double level = static_cast<double>(y) + 0.5;
        cuts.clear();
        for (qsizetype i = 0; i < corners.size(); ++i) {
            const QPointF a = corners[i], b = corners[(i + 1) % corners.size()];
            if ((a.y() <= level) == (b.y() <= level)) continue;
            cuts.push_back(a.x() + (level - a.y()) / (b.y() - a.y()) * (b.x() - a.x()));
        }
        std::sort(cuts.begin(), cuts.end());
        std::uint8_t* row = rowOf(mask, y, z);
        for (std::size_t i = 0; i + 1 < cuts.size(); i += 2)
            // Centres, a half further than their pixels begin, from one cut to before the next.
            for (auto x = std::max(box.x0, static_cast<std::int64_t>(std::ceil(cuts[i] - 0.5)));
                 x < box.x1 && static_cast<double>(x) + 0.5 < cuts[i + 1]; ++x)
                row[x] = ink;
    }
    return box;
}

std::vector<std::uint8_t> pixelsIn(const io::Grid& mask, const PixelBox& box) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(static_cast<std::size_t>(box.pixels()));
    const io::Shape& s = mask.shape();
    for (std::int64_t z = box.z0; z < box.z1; ++z)
        for (std::int64_t y = box.y0; y < box.y1; ++y) {
            const std::uint8_t* row = mask.as<std::uint8_t>() + (z * s.height + y) * s.width;
            pixels.insert(pixels.end(), row + box.x0, row + box.x1);
        }
    return pixels;
}

void putPixels(io::Grid& mask, const PixelBox& box, const std::vector<std::uint8_t>& pixels) {
    const std::uint8_t* from = pixels.data();
    const auto width = static_cast<std::size_t>(box.x1 - box.x0);
    for (std::int64_t z = box.z0; z < box.z1; ++z)
        for (std::int64_t y = box.y0; y < box.y1; ++y, from += width)
            std::memcpy(rowOf(mask, y, z) + box.x0, from, width);
}

}  // namespace warplens::gui
