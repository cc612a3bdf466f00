// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/ray_view.hpp"

#include "gui/kit/theme/format.hpp"
#include "gui/volume/volume_marks.hpp"

#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kDegreesAPixel = 0.5, kKeyDegrees = 5;
constexpr double kNotch = 1.25, kLeastZoom = 0.25, kMostZoom = 32;

double turned(double degrees) {
    // -180 up to, but not including, 180.
    return degrees - 360 * std::floor((degrees + 180) / 360);
}

}  // namespace

RayView::RayView(VolumeState& state, QWidget* parent) : Canvas(parent), m_state(state) {
    connect(&state, &VolumeState::crosshairChanged, this, [this] { update(); });
    connect(&state, &VolumeState::volumeChanged, this, [this] {
        clear();
        reset();
    });
}

void RayView::setView(const gpu::render::View& view) {
    if (view == m_view) return;
    m_view = view;
    update();
    emit viewChanged(false);
}

void RayView::setFrame(const RayFrame& frame) {
    m_frame = frame;
    m_message.clear();
    update();
}

void RayView::clear(const QString& message) {
    m_frame.reset();
    m_message = message;
    update();
}

void RayView::setMarksShown(bool shown) {
    m_marksShown = shown;
    update();
}

QString RayView::angles() const {
    const auto degrees = [](double v) { return format::integer(std::llround(v)) + QChar(0xb0); };
    return degrees(m_view.yaw) + QStringLiteral(", ") + degrees(m_view.pitch);
}

void RayView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    // Black in both schemes: what shines is added up on it.
    painter.fillRect(rect(), Qt::black);
    if (!m_message.isEmpty()) {
        return paintMessage(painter, m_message, colour(Role::text2, Scheme::dark));
    }
    if (m_frame) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.drawImage(QRectF(rect()), m_frame->image);
    }
    if (m_marksShown) paintMarks(painter, m_frame ? m_frame->view : m_view);
}

void RayView::paintMarks(QPainter& painter, const gpu::render::View& view) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& extent = m_state.extent();
    const gpu::render::Projection projection({extent[0], extent[1], extent[2], 1}, m_state.spacing(), view, width(),
                                             height());
    drawBox(painter, projection, extent);
    if (m_state.crosshairShown()) drawPosition(painter, projection, m_state.crosshair());
    drawTriad(painter, projection, height());
}

void RayView::turn(double yaw, double pitch) {
    m_view.yaw = turned(m_view.yaw + yaw);
    m_view.pitch = std::clamp(m_view.pitch + pitch, -90.0, 90.0);
    emit viewChanged(true);
}

void RayView::zoomBy(double factor) {
    m_view.zoom = std::clamp(m_view.zoom * factor, kLeastZoom, kMostZoom);
    emit viewChanged(true);
}

void RayView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0) zoomBy(std::pow(kNotch, notches));
    event->accept();
}

void RayView::mousePressEvent(QMouseEvent* event) {
    if (!pressed(event)) return;
    m_pressed = event->button();
    m_last = event->position();
}

void RayView::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed == Qt::NoButton) return;
    const QPointF moved = event->position() - m_last;
    m_last = event->position();
    setCursor(Qt::ClosedHandCursor);
    if (m_pressed == Qt::MiddleButton) {
        const double shorter = std::max(1, std::min(width(), height()));
        m_view.right += moved.x() / shorter;
        m_view.up -= moved.y() / shorter;
        emit viewChanged(true);
    } else {
        // The side towards the eye follows the mouse.
        turn(-moved.x() * kDegreesAPixel, moved.y() * kDegreesAPixel);
    }
}

void RayView::mouseReleaseEvent(QMouseEvent*) {
    m_pressed = Qt::NoButton;
    unsetCursor();
}

void RayView::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers() & Qt::ShiftModifier ? 1 : kKeyDegrees;
    switch (event->key()) {
        case Qt::Key_Left: return turn(step, 0);
        case Qt::Key_Right: return turn(-step, 0);
        case Qt::Key_Up: return turn(0, -step);
        case Qt::Key_Down: return turn(0, step);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoomBy(kNotch);
        case Qt::Key_Minus: return zoomBy(1 / kNotch);
        case Qt::Key_Home: return reset();
        case Qt::Key_F:
            if (event->modifiers() == Qt::NoModifier) return reset();
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter: emit activated(); return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace warplens::gui
