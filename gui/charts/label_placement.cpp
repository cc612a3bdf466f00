// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/label_placement.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr int kDirections = 24;
constexpr double kSteps[] = {0, 8, 18, 30, 44, 60, 80, 104, 132};

/// The name's box in a direction from the mark, just clear of a circle of `radius`.
QRectF boxAt(const LabelledPoint& point, double angle, double radius) {
    const double x = std::cos(angle), y = std::sin(angle);
    const QPointF edge = point.at + QPointF(x, y) * radius;
    // The side of the box that looks at the mark goes with the direction.
    return {edge.x() - point.label.width() * (1 - x) / 2, edge.y() - point.label.height() * (1 - y) / 2, point.label.width(), point.label.height()};
}

QPointF nearest(const QRectF& box, QPointF to) {
    return {std::clamp(to.x(), box.left(), box.right()), std::clamp(to.y(), box.top(), box.bottom())};
}

/// Small boxes along the way from a mark to a name that stands far from it; none to one close by.
std::vector<QRectF> leaderOf(const LabelledPoint& point, const QRectF& box, double mark) {
    const QPointF away = nearest(box, point.at) - point.at;
    const double length = std::hypot(away.x(), away.y());
    std::vector<QRectF> boxes;
    for (double at = mark; at < length - 2; at += 3) boxes.emplace_back(point.at + away * (at / length) - QPointF(1.5, 1.5), QSizeF(3, 3));
    return boxes;
}

}  // namespace

std::optional<QLineF> leaderTo(const QRectF& label, QPointF point, double mark) {
    const QPointF end = nearest(label, point), away = end - point;
    const double length = std::hypot(away.x(), away.y());
    if (length <= mark * 1.2) return std::nullopt;
    return QLineF(point + away * (0.6 * mark / length), end);
}

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelledPoint>& points, double mark, const QRectF& area,
                                               const std::vector<QRectF>& taken) {
    std::vector<QRectF> closed = taken;
    for (const LabelledPoint& point : points) closed.emplace_back(point.at - QPointF(mark / 2, mark / 2), QSizeF(mark, mark));
    std::vector<std::optional<QRectF>> places;
    for (const LabelledPoint& point : points) {
        std::optional<QRectF> place;
        for (const double step : kSteps) {
            // From the right, where names are looked for, to both sides in turn.
            for (int i = 0; i < kDirections && !place; ++i) {
                const double angle = (i % 2 == 0 ? 1 : -1) * ((i + 1) / 2) * 2 * M_PI / kDirections;
                const QRectF box = boxAt(point, angle, mark * 0.75 + 3 + step);
                const auto free = [&](const QRectF& wanted) { return std::ranges::none_of(closed, [&](const QRectF& other) { return other.intersects(wanted); }); };
                if (area.contains(box) && free(box) && std::ranges::all_of(leaderOf(point, box, mark), free)) place = box;
            }
            if (place) break;
        }
        if (place) {
            closed.push_back(*place);
            const auto leader = leaderOf(point, *place, mark);
            closed.insert(closed.end(), leader.begin(), leader.end());
        }
        places.push_back(place);
    }
    return places;
}

}  // namespace warplens::gui
