// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/scale_bar.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/plot/scale.hpp"
#include "io/in_space.hpp"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kScaleBarMost = 90;
}  // namespace

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

ScaleBar scaleBar(double pixelsPerMm, double most) {
    const double longest = most / pixelsPerMm;
    double mm = std::pow(10.0, std::floor(std::log10(longest)));
    for (const double factor : {5.0, 2.0}) {
        if (mm * factor > longest) continue;
        mm *= factor;
        break;
    }
    return {mm, mm * pixelsPerMm};
}

QString ScaleBar::label(bool hasGeometry) const {
    if (!hasGeometry)
        return mm == 1 ? QCoreApplication::translate("ScaleBar", "1 voxel")
                       : QCoreApplication::translate("ScaleBar", "%1 voxels").arg(tickText(mm));
    if (mm < 0.1) return tickText(mm * 1000) + QStringLiteral(" µm");
    if (mm >= 1000) return tickText(mm / 1000) + QStringLiteral(" m");
    return tickText(mm) + QStringLiteral(" mm");
}

void drawScaleBar(QPainter& painter, const SlicePlacement& placement) {
    const ScaleBar bar = scaleBar(placement.pixelsPerMm, kScaleBarMost);
    const QString label = bar.label(placement.hasGeometry);
    const QRectF picture = placement.picture & placement.canvas;
    const double wide = std::max(bar.pixels, QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(label));
    const bool beside = placement.canvas.width() - picture.right() >= wide + 2 * kDockMargin;
    const double bottom = picture.bottom() - kDockMargin;
    const double left = beside ? picture.right() + kDockMargin : picture.right() - wide - kDockMargin;
    const QColor ink = beside ? colour(Role::text2, surroundScheme()) : QColor(Qt::white);
    if (!beside) painter.fillRect(QRectF(left - 6, bottom - 26, wide + 12, 34), QColor(0, 0, 0, 170));
    drawLabel(painter, QRectF(left, bottom - 24, wide, 20), Qt::AlignLeft | Qt::AlignVCenter, label, ink, false);
    painter.setPen(QPen(ink, 1.4 * lineScale(), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(left, bottom), QPointF(left + bar.pixels, bottom));
    for (const double x : {left, left + bar.pixels}) painter.drawLine(QPointF(x, bottom - 4), QPointF(x, bottom + 4));
}

void ScaleBarOverlay::paint(QPainter& painter, const ImageView& view) {
    const auto picture = view.picture();
    if (picture == nullptr || !io::hasGeometry(picture->geometry) || picture->metadata.dpi) return;
    const io::Shape& shape = picture->shape();
    const QRectF placed(view.toWidget({0, 0}),
                        view.toWidget(QPointF(static_cast<double>(shape.width), static_cast<double>(shape.height))));
    const double perMm = placed.width() / static_cast<double>(shape.width) / picture->geometry.spacing[0];
    drawScaleBar(painter, {QRectF(view.rect()), placed, perMm, true});
}

}  // namespace warplens::gui
