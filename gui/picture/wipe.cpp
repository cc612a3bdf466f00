// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/wipe.hpp"

#include "gui/kit/paint.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kReach = 7, kHandle = 9;
constexpr double kLine = 2, kEdge = 1;

}  // namespace

QRectF Wipe::otherSide(QSizeF view) const {
    const bool vertical = line == Qt::Vertical;
    const double place = std::round(at * (vertical ? view.width() : view.height()));
    QRectF side(QPointF(), view);
    if (vertical)
        swapped ? side.setLeft(place) : side.setRight(place);
    else
        swapped ? side.setTop(place) : side.setBottom(place);
    return side;
}

bool Wipe::holds(QPointF point, QSizeF view) const {
    const double from = line == Qt::Vertical ? point.x() - at * view.width() : point.y() - at * view.height();
    return std::abs(from) <= kReach;
}

double Wipe::shareAt(QPointF point, QSizeF view) const {
    const double share = line == Qt::Vertical ? point.x() / view.width() : point.y() / view.height();
    return std::clamp(share, 0.0, 1.0);
}

void Wipe::paint(QPainter& painter, QSizeF view) const {
    const bool vertical = line == Qt::Vertical;
    const double place = std::round(at * (vertical ? view.width() : view.height()));
    const auto strip = [&](double half) {
        return vertical ? QRectF(place - half, 0, 2 * half, view.height())
                        : QRectF(0, place - half, view.width(), 2 * half);
    };
    const QColor edge(0, 0, 0, 190);
    painter.fillRect(strip(kLine / 2 * lineScale() + kEdge), edge);
    painter.fillRect(strip(kLine / 2 * lineScale()), Qt::white);

    // A disc with an arrow to each side, at the middle of the line.
    const QPointF middle = vertical ? QPointF(place, view.height() / 2) : QPointF(view.width() / 2, place);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    painter.setPen(QPen(edge, kEdge));
    painter.setBrush(Qt::white);
    painter.drawEllipse(QPointF(), kHandle, kHandle);
    if (!vertical) painter.rotate(90);
    painter.setPen(QPen(QColor(0x1a, 0x1a, 0x1a), 1.6));
    for (const double side : {-1.0, 1.0}) {
        painter.drawLine(QPointF(side * 5, 0), QPointF(side * 2, -3));
        painter.drawLine(QPointF(side * 5, 0), QPointF(side * 2, 3));
    }
    painter.restore();

    painter.setFont(textFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    const auto name = [&](const QString& text, bool atEnd) {
        const double width = metrics.horizontalAdvance(text) + 2 * kGap;
        QRectF box(kGap, view.height() - kRowHeight - kGap + 3, width, kRowHeight - 3);
        if (vertical && atEnd) box.moveRight(view.width() - kGap);
        if (!vertical && !atEnd) box.moveTop(kGap);
        painter.fillRect(box, QColor(0, 0, 0, 215));
        painter.setPen(Qt::white);
        painter.drawText(box, Qt::AlignCenter, text);
    };
    name(swapped ? own : other, false);
    name(swapped ? other : own, true);
}

}  // namespace warplens::gui
