// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/paint.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace warplens::gui {

bool Plot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), this);
    return true;
}

Canvas::Canvas(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit activated();
}

void Canvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    emit focused();
}

void Canvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) invalidate();
    QWidget::changeEvent(event);
}

bool Canvas::pressed(QMouseEvent* event) {
    emit focused();
    const bool drags = event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton;
    if (!drags) event->ignore();
    return drags;
}

void Canvas::paintMessage(QPainter& painter, const QString& message, const QColor& ink) const {
    painter.setPen(ink);
    painter.setFont(textFont(TextSize::body));
    painter.drawText(rect().adjusted(kDockMargin, 0, -kDockMargin, 0), Qt::AlignCenter | Qt::TextWordWrap, message);
}

}  // namespace warplens::gui
