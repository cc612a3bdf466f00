// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/box_reads.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/overlays.hpp"

#include <QPainter>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kLeastMark{7}, kRoom{2};

}  // namespace

void BoxReadsOverlay::paint(QPainter& painter, const ImageView& view) {
    if (!m_reads) return;
    RectangleOverlay box;
    box.setRectangle(m_reads->box);
    box.paint(painter, view);
    painter.setFont(boldFont(TextSize::caption));
    const QFontMetricsF metrics(painter.font());
    for (const BoxReads::Corner& corner : m_reads->corners) {
        const QPointF from = view.toWidget(corner.at), to = view.toWidget(corner.at + QPoint(1, 1));
        // A pixel may be smaller than a screen's.
        const double side = std::max<double>(kLeastMark, to.x() - from.x());
        const QPointF middle = (from + to) / 2;
        const QRectF mark(middle.x() - side / 2, middle.y() - side / 2, side, side);
        painter.fillRect(mark.adjusted(-1, -1, 1, 1), Qt::black);
        painter.fillRect(mark, colour(Role::accent));
        // Outwards, so that the box stays free.
        const QSizeF size(metrics.horizontalAdvance(corner.name) + 2 * kRoom, metrics.height());
        const bool left = corner.at.x() < m_reads->box.left(), above = corner.at.y() < m_reads->box.top();
        const QRectF name(left ? mark.left() - size.width() : mark.right(),
                          above ? mark.top() - size.height() : mark.bottom(), size.width(), size.height());
        painter.fillRect(name, QColor(0, 0, 0, 215));
        painter.setPen(Qt::white);
        painter.drawText(name, Qt::AlignCenter, corner.name);
    }
}

}  // namespace warplens::gui
