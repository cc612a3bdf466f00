// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace warplens::gui {

/// A mark in a chart and the size of the name that belongs to it.
struct LabelledPoint {
    QPointF at;
    QSizeF label;
    double first = 0;  ///< direction to look in first, radians clockwise from the right
    bool led = true;   ///< may stand far from its mark and be led to it by a line
    bool operator==(const LabelledPoint&) const = default;
};

/// Where the names stand, in the order of the points: inside `area`, over no mark of `mark` pixels, no other name and
/// none of `taken`, and led to its mark past all of these; the nearest free place, earlier points first. A name that
/// has none stands where it can be led to across marks, which are to be painted over the lines, lines of others and, at
/// last, what is taken. Nothing for a name that finds no place then either.
std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelledPoint>& points, double mark,
                                               const QRectF& area, const std::vector<QRectF>& taken = {});

/// placeLabels of a chart that is painted more often than it changes: what was asked last is not sought again.
class LabelPlaces {
public:
    const std::vector<std::optional<QRectF>>& of(std::vector<LabelledPoint> points, double mark, const QRectF& area,
                                                 std::vector<QRectF> taken);

private:
    std::vector<LabelledPoint> m_points;
    double m_mark = 0;
    QRectF m_area;
    std::vector<QRectF> m_taken;
    std::vector<std::optional<QRectF>> m_places;
};

/// The line that leads from a mark to its name; nothing when the name stands beside it.
std::optional<QLineF> leaderTo(const QRectF& label, QPointF point, double mark);

}  // namespace warplens::gui
