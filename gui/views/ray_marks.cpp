// SPDX-License-Identifier: Apache-2.0
#include "gui/views/ray_marks.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/axis_colours.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kArm = 32, kLetter = 10, kBox = 16;

QPointF pointOf(const std::array<double, 2>& at) { return {at[0], at[1]}; }

}  // namespace

void drawBox(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& extent) {
    const auto& forward = projection.forward();
    int furthest = 0;
    for (std::size_t a = 0; a < 3; ++a)
        if (forward[a] > 0) furthest |= 1 << a;
    const auto corner = [&](int index) {
        gpu::render::Vector voxel{};
        for (std::size_t a = 0; a < 3; ++a) voxel[a] = index >> a & 1 ? extent[a] : 0;
        return pointOf(projection.toScreen(voxel));
    };
    for (int from = 0; from < 8; ++from)
        for (int axis = 0; axis < 3; ++axis) {
            const int to = from | 1 << axis;
            if (to == from) continue;
            const bool behind = from == furthest || to == furthest;
            painter.setPen(QPen(QColor(255, 255, 255, behind ? 70 : 150), lineScale()));
            painter.drawLine(corner(from), corner(to));
        }
}

void drawPosition(QPainter& painter, const gpu::render::Projection& projection, const std::array<int, 3>& voxel) {
    const QPointF at = pointOf(projection.toScreen({voxel[0] + 0.5, voxel[1] + 0.5, voxel[2] + 0.5}));
    painter.setBrush(Qt::NoBrush);
    for (const auto& [ink, width] : {std::pair{QColor(0, 0, 0, 153), 3.4}, std::pair{QColor(Qt::white), 1.6}}) {
        painter.setPen(QPen(ink, width * lineScale()));
        painter.drawEllipse(at, 6, 6);
    }
}

void drawTriad(QPainter& painter, const gpu::render::Projection& projection, double height) {
    // In a low view the arms are short, so that what points up stays in it.
    const double letter = kLetter * typeScale(), edge = kDockMargin + letter + 4;
    const double arm = std::clamp((height - 2 * edge) / 2, 10.0, kArm);
    const QPointF origin(edge + arm, height - edge - arm / 3);
    painter.setFont(boldFont(TextSize::caption));
    std::array<std::size_t, 3> order{0, 1, 2};
    // Those that point to the eye cover those that point away.
    std::ranges::sort(order, [&](auto a, auto b) { return projection.forward()[a] > projection.forward()[b]; });
    for (const std::size_t a : order) {
        const QPointF axis(projection.right()[a], projection.down()[a]);
        const QPointF end = origin + axis * arm;
        painter.setPen(
            QPen(axisColour(static_cast<int>(a), Scheme::dark), 2 * lineScale(), Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(origin, end);
        const double length = std::hypot(axis.x(), axis.y());
        // An axis straight at the eye has no direction on the screen: its letter stands beside the middle.
        const QPointF way = length > 0.2 ? axis / length : QPointF(0.7, 0.7);
        QRectF box(0, 0, kBox * typeScale(), kBox * typeScale());
        box.moveCenter(end + way * letter);
        painter.drawText(box, Qt::AlignCenter, QString(kAxisLetters[a]));
    }
}

}  // namespace warplens::gui
