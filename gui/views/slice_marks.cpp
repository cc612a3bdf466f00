// SPDX-License-Identifier: Apache-2.0
#include "gui/views/slice_marks.hpp"

#include "gui/theme/fonts.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/axis_colours.hpp"
#include "gui/views/scale_bar.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kGapAround = 9;  // of the crosshair's middle
constexpr double kLabelInset = 6, kScaleBarMost = 90;

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

/// Text beside the picture in the axis' own colour; over it on a dark plate.
void drawLabel(QPainter& painter, QRectF box, Qt::Alignment alignment, const QString& text, const QColor& ink,
               bool over) {
    painter.setFont(textFont(TextSize::caption));
    if (over) {
        QRectF plate = painter.boundingRect(box, static_cast<int>(alignment), text).adjusted(-4, -1, 4, 1);
        painter.fillRect(plate, QColor(0, 0, 0, 170));
    }
    painter.setPen(ink);
    painter.drawText(box, static_cast<int>(alignment), text);
}

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
                  beside ? axisColour(axes.down, scheme()) : horizontal, !beside);
    }
    if (cross.x() >= picture.left() && cross.x() <= picture.right()) {
        const bool beside = placement.canvas.width() - picture.right() >= wide;
        const double left = beside ? picture.right() + kDockMargin : picture.right() - wide;
        const QRectF box(left, picture.top() + (beside ? 0 : 2), wide - kLabelInset, line);
        drawLabel(painter, box, (beside ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, text(axes.right),
                  beside ? axisColour(axes.right, scheme()) : vertical, !beside);
    }
}

void drawScaleBar(QPainter& painter, const SlicePlacement& placement) {
    const ScaleBar bar = scaleBar(placement.pixelsPerMm, kScaleBarMost);
    const QRectF picture = placement.picture & placement.canvas;
    const double wide = std::max(bar.pixels, QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(bar.label()));
    const bool beside = placement.canvas.width() - picture.right() >= wide + 2 * kDockMargin;
    const double bottom = picture.bottom() - kDockMargin;
    const double left = beside ? picture.right() + kDockMargin : picture.right() - wide - kDockMargin;
    const QColor ink = beside ? colour(Role::text2) : QColor(Qt::white);
    if (!beside) painter.fillRect(QRectF(left - 6, bottom - 26, wide + 12, 34), QColor(0, 0, 0, 170));
    drawLabel(painter, QRectF(left, bottom - 24, wide, 20), Qt::AlignLeft | Qt::AlignVCenter, bar.label(), ink, false);
    painter.setPen(QPen(ink, 1.4 * lineScale(), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(left, bottom), QPointF(left + bar.pixels, bottom));
    for (const double x : {left, left + bar.pixels}) painter.drawLine(QPointF(x, bottom - 4), QPointF(x, bottom + 4));
}

}  // namespace warplens::gui
