// SPDX-License-Identifier: Apache-2.0
// The part of ImageView that hears mouse, wheel and keys.
#include "gui/picture/image_view.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kPanStep = 48;
constexpr double kNotch = 1.25;
constexpr int kSliceJump = 10;

}  // namespace

void ImageView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (m_state->depth() > 1 && event->modifiers() & Qt::ShiftModifier) {
        m_sliceTurn += notches;
        const int steps = static_cast<int>(m_sliceTurn);
        m_sliceTurn -= steps;
        m_state->setSlice(m_state->slice() - steps);
    } else if (notches != 0) {
        m_state->setZoom(m_state->zoom() * std::pow(kNotch, notches), toPicture(event->position()));
    }
    event->accept();
}

void ImageView::mousePressEvent(QMouseEvent* event) {
    if (!pressed(event)) return;
    if ((m_selecting || m_lining) && event->button() == Qt::LeftButton) {
        m_corner = m_opposite = toPicture(event->position());
        return;
    }
    if (event->button() == Qt::LeftButton && holdsWipe(event->position())) {
        m_wiping = !(event->modifiers() & Qt::ControlModifier);
        if (!m_wiping) emit wipeTurned();
        return;
    }
    m_dragging = true;
    m_dragged = false;
    m_dragFrom = event->position();
    m_dragCentre = m_state->centre();
}

void ImageView::mouseMoveEvent(QMouseEvent* event) {
    if (m_wiping) return emit wipeMoved(m_wipe->shareAt(event->position(), size()));
    if (m_wipe && !m_dragging && !m_selecting && !m_lining) {
        if (holdsWipe(event->position()))
            setCursor(m_wipe->line == Qt::Vertical ? Qt::SplitHCursor : Qt::SplitVCursor);
        else
            unsetCursor();
    }
    if (m_corner) {
        m_opposite = toPicture(event->position());
        drawLine();
        update();
    }
    if (m_dragging) {
        // A click that trembles is no drag.
        if ((event->position() - m_dragFrom).manhattanLength() < 3 && cursor().shape() != Qt::ClosedHandCursor) return;
        setCursor(Qt::ClosedHandCursor);
        m_dragged = true;
        m_state->setCentre(m_dragCentre - (event->position() - m_dragFrom) * (devicePixelRatioF() / m_state->zoom()));
    }
    hover(event->position());
}

void ImageView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragging && !m_dragged && event->button() == Qt::LeftButton && m_layer.picture()) {
        const QPointF at = toPicture(event->position());
        const QPoint pixel(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
        if (pixels().contains(pixel)) emit pixelChosen(pixel);
    }
    m_dragging = m_wiping = false;
    const QRect drawn = rectangle();
    m_corner.reset();
    update();
    if (m_lining)
        setCursor(Qt::CrossCursor);
    else if (!m_selecting)
        unsetCursor();
    if (!drawn.isEmpty()) emit rectangleDrawn(drawn);
}

void ImageView::drawLine() {
    const QRect inside = pixels();
    if (!m_lining || inside.isEmpty()) return;
    const auto pixel = [&inside](QPointF at) {
        return QPoint(std::clamp(static_cast<int>(std::floor(at.x())), inside.left(), inside.right()),
                      std::clamp(static_cast<int>(std::floor(at.y())), inside.top(), inside.bottom()));
    };
    emit lineDrawn(pixel(*m_corner), pixel(*m_opposite));
}

void ImageView::hover(QPointF widget) {
    if (!m_layer.picture()) return;
    const QPointF at = toPicture(widget);
    // Leaving the picture keeps the last pixel: its values are still being read.
    const QPoint pixel(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
    if (pixels().contains(pixel)) m_state->setCursor(pixel);
}

void ImageView::nudge(int dx, int dy) {
    const QSize size = m_state->pictureSize();
    if (size.isEmpty()) return;
    const QPoint from = m_state->cursor().value_or(m_state->centre().toPoint());
    const QPoint to(std::clamp(from.x() + dx, 0, size.width() - 1), std::clamp(from.y() + dy, 0, size.height() - 1));
    m_state->setCursor(to);
    const QPointF middle = QPointF(to) + QPointF(0.5, 0.5);
    if (!QRectF(rect()).contains(toWidget(middle))) m_state->setCentre(middle);
}

void ImageView::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers() & Qt::ControlModifier;
    const double step = kPanStep / m_state->zoom() * devicePixelRatioF();
    const auto arrow = [&](int dx, int dy) {
        if (control) return nudge(dx, dy);
        m_state->setCentre(m_state->centre() + QPointF(dx, dy) * step);
    };
    switch (event->key()) {
        case Qt::Key_Left: return arrow(-1, 0);
        case Qt::Key_Right: return arrow(1, 0);
        case Qt::Key_Up: return arrow(0, -1);
        case Qt::Key_Down: return arrow(0, 1);
        case Qt::Key_Comma: return m_state->setSlice(m_state->slice() - 1);
        case Qt::Key_Period: return m_state->setSlice(m_state->slice() + 1);
        case Qt::Key_PageUp: return m_state->setSlice(m_state->slice() - kSliceJump);
        case Qt::Key_PageDown: return m_state->setSlice(m_state->slice() + kSliceJump);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return m_state->zoomIn();
        case Qt::Key_Minus: return m_state->zoomOut();
        case Qt::Key_0:
            if (control) return m_state->actualSize();
            break;
        case Qt::Key_F:
            if (event->modifiers() == Qt::NoModifier) return m_state->fit();
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (m_state->cursor()) emit pixelChosen(*m_state->cursor());
            emit activated();
            return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace warplens::gui
