// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_marks.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/plot/scale.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kGapAround = 9;  // of the crosshair's middle
constexpr double kLabelInset = 6;

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

constexpr double kArm = 32, kLetter = 10, kBox = 16;

QPointF pointOf(const std::array<double, 2>& at) { return {at[0], at[1]}; }

}  // namespace

void drawSliceCrosshair(QPainter& painter, const SlicePlacement& placement, SlicePlane plane,
                        const VolumeState::Voxel& voxel, QPointF exact) {
    painter.setRenderHint(QPainter::Antialiasing);
    const PlaneAxes axes = axesOf(plane);
    // On whole pixels, so that the lines are crisp.
    const QPointF cross(std::floor(exact.x()) + 0.5, std::floor(exact.y()) + 0.5);
    const QRectF picture = placement.picture & placement.canvas;
    // Each line has the colour of the axis whose place it marks.
    const QColor vertical = axisColour(axes.right, Scheme::dark), horizontal = axisColour(axes.down, Scheme::dark);
    const std::pair<QLineF, QColor> lines[] = {
        {{cross.x(), picture.top(), cross.x(), cross.y() - kGapAround}, vertical},
        {{cross.x(), cross.y() + kGapAround, cross.x(), picture.bottom()}, vertical},
        {{picture.left(), cross.y(), cross.x() - kGapAround, cross.y()}, horizontal},
        {{cross.x() + kGapAround, cross.y(), picture.right(), cross.y()}, horizontal}};
    painter.save();
    painter.setClipRect(picture);
    for (const bool casing : {true, false})
        for (const auto& [line, ink] : lines) {
            // A crosshair out of sight, or near an edge, leaves nothing of some strokes.
            if (line.dx() < 0 || line.dy() < 0) continue;
            painter.setPen(casing ? QPen(QColor(0, 0, 0, 153), 3.4 * lineScale(), Qt::SolidLine, Qt::FlatCap)
                                  : QPen(ink, 1.6 * lineScale(), Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(line);
        }
    painter.restore();

    const auto text = [&](int axis) {
        return QString(kAxisLetters[at(axis)]) + u' ' + format::integer(voxel[at(axis)]);
    };
    const double wide =
        QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(QStringLiteral("x 0,000")) + kLabelInset;
    const double line = kRowHeight - 4;
    if (cross.y() >= picture.top() && cross.y() <= picture.bottom()) {
        const bool beside = picture.left() >= wide;
        const double left = beside ? picture.left() - wide : picture.left() + kLabelInset;
        const double top = std::clamp(cross.y() - line / 2, 0.0, placement.canvas.height() - line);
        // Over the picture it stands above its line.
        const QRectF box(left, beside ? top : std::max(0.0, top - line), wide - kLabelInset, line);
        drawLabel(painter, box, (beside ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, text(axes.down),
                  beside ? axisColour(axes.down, surroundScheme()) : horizontal, !beside);
    }
    if (cross.x() >= picture.left() && cross.x() <= picture.right()) {
        const bool beside = placement.canvas.width() - picture.right() >= wide;
        const double left = beside ? picture.right() + kDockMargin : picture.right() - wide;
        const QRectF box(left, picture.top() + (beside ? 0 : 2), wide - kLabelInset, line);
        drawLabel(painter, box, (beside ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, text(axes.right),
                  beside ? axisColour(axes.right, surroundScheme()) : vertical, !beside);
    }
}

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
