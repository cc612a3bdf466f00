// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/slice_view.hpp"

#include "gui/volume/slice_render.hpp"
#include "gui/volume/volume_marks.hpp"

#include <QWheelEvent>
#include <cmath>
#include <limits>
#include <utility>

namespace warplens::gui {

namespace {

constexpr double kNotch = 1.25;
constexpr int kJump = 10;

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

}  // namespace

SliceView::SliceView(SlicePlane plane, VolumeState& state, QWidget* parent)
    : Canvas(parent), m_plane(plane), m_state(state) {
    setMouseTracking(true);
    connect(&state, &VolumeState::viewChanged, this, &SliceView::invalidate);
    connect(&state, &VolumeState::volumeChanged, this, &SliceView::invalidate);
    connect(&state, &VolumeState::crosshairChanged, this, &SliceView::invalidate);
    connect(&state.display(), &ViewState::displayChanged, this, &SliceView::invalidate);
}

void SliceView::setVolume(std::shared_ptr<const io::Grid> volume, const QString& message) {
    m_volume = std::move(volume);
    m_message = message;
    invalidate();
}

void SliceView::invalidate() {
    m_cache = {};
    update();
}

QPointF SliceView::toWidget(const VolumeState::Position& mm) const {
    const PlaneAxes axes = axesOf(m_plane);
    const auto& centre = m_state.centre(m_plane);
    const double scale = m_state.pixelsPerMm(m_plane) / devicePixelRatioF();
    const double down = (mm[at(axes.down)] - centre[at(axes.down)]) * scale;
    return {width() / 2.0 + (mm[at(axes.right)] - centre[at(axes.right)]) * scale,
            height() / 2.0 + (axes.upwards ? -down : down)};
}

VolumeState::Position SliceView::toVolume(QPointF widget) const {
    const PlaneAxes axes = axesOf(m_plane);
    const double scale = m_state.pixelsPerMm(m_plane) / devicePixelRatioF();
    VolumeState::Position mm = m_state.centre(m_plane);
    const double down = (widget.y() - height() / 2.0) / scale;
    mm[at(axes.right)] += (widget.x() - width() / 2.0) / scale;
    mm[at(axes.down)] += axes.upwards ? -down : down;
    mm[at(axes.across)] = (m_state.crosshair()[at(axes.across)] + 0.5) * m_state.spacing()[at(axes.across)];
    return mm;
}

QRectF SliceView::pictureRect() const {
    VolumeState::Position end{};
    for (std::size_t a = 0; a < 3; ++a) end[a] = m_state.extent()[a] * m_state.spacing()[a];
    return QRectF(toWidget({0, 0, 0}), toWidget(end)).normalized();
}

void SliceView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QColor surround = surroundColour();
    if (!m_volume) {
        painter.fillRect(rect(), surround);
        return paintMessage(painter, m_message);
    }
    const double dpr = devicePixelRatioF();
    if (m_cache.isNull() || m_cache.devicePixelRatio() != dpr) {
        const PlaneAxes axes = axesOf(m_plane);
        const auto& centre = m_state.centre(m_plane);
        SliceRequest request;
        request.plane = m_plane;
        request.index = m_state.crosshair()[at(axes.across)];
        request.size = {static_cast<int>(std::ceil(width() * dpr)), static_cast<int>(std::ceil(height() * dpr))};
        request.centre = {centre[at(axes.right)], centre[at(axes.down)]};
        request.pixelsPerMm = m_state.pixelsPerMm(m_plane);
        request.spacing = m_state.spacing();
        request.range = m_state.display().range();
        request.map = m_state.display().colourMap();
        request.labelColours = m_state.display().labelColours();
        request.surround = surround.rgb();
        m_cache = renderSlice(*m_volume, request);
        m_cache.setDevicePixelRatio(dpr);
    }
    painter.drawImage(QPointF(), m_cache);
    const SlicePlacement placement{rect(), pictureRect(), m_state.pixelsPerMm(m_plane) / dpr, m_state.hasGeometry()};
    if (m_state.crosshairShown()) {
        VolumeState::Position middle{};
        for (std::size_t a = 0; a < 3; ++a) middle[a] = (m_state.crosshair()[a] + 0.5) * m_state.spacing()[a];
        drawSliceCrosshair(painter, placement, m_plane, m_state.crosshair(), toWidget(middle));
    }
    drawScaleBar(painter, placement);
}

void SliceView::updateViewport() {
    // A fitted slice keeps off the caption and its neighbours.
    const QSizeF inner = QSizeF(size()).shrunkBy(QMarginsF(kGap, kGap, kGap, kGap));
    if (isVisible()) m_state.setViewport(m_plane, inner * devicePixelRatioF());
}

void SliceView::resizeEvent(QResizeEvent*) {
    updateViewport();
    invalidate();
}

void SliceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    updateViewport();
}

void SliceView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ControlModifier) {
        m_state.setZoom(m_plane, m_state.zoom(m_plane) * std::pow(kNotch, notches), toVolume(event->position()));
    } else {
        m_turn += notches;
        const int steps = static_cast<int>(m_turn);
        m_turn -= steps;
        m_state.moveCrosshair(axesOf(m_plane).across, -steps);
    }
    event->accept();
}

void SliceView::pointAt(QPointF widget) {
    if (!m_volume) return;
    const auto mm = toVolume(widget);
    VolumeState::Voxel voxel{};
    for (std::size_t a = 0; a < 3; ++a) voxel[a] = static_cast<int>(std::floor(mm[a] / m_state.spacing()[a]));
    m_state.setCrosshair(voxel);
}

void SliceView::mousePressEvent(QMouseEvent* event) {
    if (!pressed(event)) return;
    m_pressed = true;
    m_dragging = false;
    m_dragFrom = event->position();
    m_dragCentre = m_state.centre(m_plane);
}

void SliceView::mouseMoveEvent(QMouseEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) return pointAt(event->position());
    if (!m_pressed) return;
    const QPointF moved = event->position() - m_dragFrom;
    // A click that trembles is no drag.
    if (!m_dragging && moved.manhattanLength() < 3) return;
    m_dragging = true;
    setCursor(Qt::ClosedHandCursor);
    const PlaneAxes axes = axesOf(m_plane);
    const double mm = devicePixelRatioF() / m_state.pixelsPerMm(m_plane);
    VolumeState::Position centre = m_dragCentre;
    centre[at(axes.right)] -= moved.x() * mm;
    centre[at(axes.down)] -= moved.y() * (axes.upwards ? -mm : mm);
    m_state.setCentre(m_plane, centre);
}

void SliceView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_pressed && !m_dragging && event->button() == Qt::LeftButton) pointAt(event->position());
    m_pressed = m_dragging = false;
    unsetCursor();
}

void SliceView::keyPressEvent(QKeyEvent* event) {
    const PlaneAxes axes = axesOf(m_plane);
    const bool control = event->modifiers() & Qt::ControlModifier;
    const auto step = [&](int by) { m_state.moveCrosshair(axes.across, by); };
    const auto zoom = [&](double by) { m_state.setZoom(m_plane, m_state.zoom(m_plane) * by, m_state.centre(m_plane)); };
    const auto arrow = [&](int axis, int by, int slices) { control ? m_state.moveCrosshair(axis, by) : step(slices); };
    switch (event->key()) {
        case Qt::Key_Left: return arrow(axes.right, -1, -1);
        case Qt::Key_Right: return arrow(axes.right, 1, 1);
        case Qt::Key_Up: return arrow(axes.down, axes.upwards ? 1 : -1, -1);
        case Qt::Key_Down: return arrow(axes.down, axes.upwards ? -1 : 1, 1);
        case Qt::Key_Comma: return step(-1);
        case Qt::Key_Period: return step(1);
        case Qt::Key_PageUp: return step(-kJump);
        case Qt::Key_PageDown: return step(kJump);
        case Qt::Key_Home: return step(-std::numeric_limits<int>::max());
        case Qt::Key_End: return step(std::numeric_limits<int>::max());
        case Qt::Key_Plus:
        case Qt::Key_Equal: return zoom(kNotch);
        case Qt::Key_Minus: return zoom(1 / kNotch);
        case Qt::Key_F:
            if (event->modifiers() == Qt::NoModifier) return m_state.fit(m_plane);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter: emit activated(); return;
        default: break;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace warplens::gui
