// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/seen_frame.hpp"

#include <QPainter>

namespace warplens::gui {

namespace {

QPointF middleOf(QSize size) { return {size.width() / 2.0, size.height() / 2.0}; }

}  // namespace

void SeenFrame::paint(QPainter& painter, const RenderRequest& now, double devicePixelRatio) const {
    painter.save();
    painter.scale(1 / devicePixelRatio, 1 / devicePixelRatio);
    painter.fillRect(QRect(QPoint(), now.size), QColor(now.surround));
    if (now.centre != request.centre || now.zoom != request.zoom || now.size != request.size) {
        painter.translate(middleOf(now.size) + (request.centre - now.centre) * now.zoom);
        painter.scale(now.zoom / request.zoom, now.zoom / request.zoom);
        painter.translate(-middleOf(request.size));
    }
    painter.drawImage(at, image);
    painter.restore();
}

}  // namespace warplens::gui
