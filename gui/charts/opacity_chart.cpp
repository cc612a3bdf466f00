// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/opacity_chart.hpp"

#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"
#include "gui/views/colour_map_button.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kMargin = 7, kDot = 5, kReach = 10, kStep = 0.02;
}

OpacityChart::OpacityChart(ViewState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_points{{0.15, 0}, {0.9, 0.35}} {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setToolTip(
        tr("Opacity of one voxel's way, over the range shown. Drag points; a double click adds one, on a point it "
           "removes it. Keys: arrows, Page Up and Page Down, Insert, Delete"));
    connect(&state, &ViewState::displayChanged, this, [this] { update(); });
    describe();
}

void OpacityChart::describe() {
    const auto& point = m_points[static_cast<std::size_t>(m_chosen)];
    setAccessibleName(tr("Opacity over value, point %1 of %2: %3 at %4 of the range")
                          .arg(m_chosen + 1)
                          .arg(m_points.size())
                          .arg(format::percent(point.opacity), format::percent(point.position)));
}

void OpacityChart::setPoints(std::vector<gpu::render::OpacityPoint> points) {
    if (points.size() < 2) return;
    std::ranges::stable_sort(points, {}, &gpu::render::OpacityPoint::position);
    m_points = std::move(points);
    m_chosen = std::min(m_chosen, static_cast<int>(m_points.size()) - 1);
    describe();
    update();
}

QRectF OpacityChart::plot() const { return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin); }

QPointF OpacityChart::toWidget(const gpu::render::OpacityPoint& point) const {
    const QRectF area = plot();
    return {area.left() + point.position * area.width(), area.bottom() - point.opacity * area.height()};
}

gpu::render::OpacityPoint OpacityChart::fromWidget(QPointF widget) const {
    const QRectF area = plot();
    return {std::clamp((widget.x() - area.left()) / area.width(), 0.0, 1.0),
            std::clamp((area.bottom() - widget.y()) / area.height(), 0.0, 1.0)};
}

int OpacityChart::pointAt(QPointF widget) const {
    int best = -1;
    double nearest = kReach;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF away = toWidget(m_points[i]) - widget;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > nearest) continue;
        nearest = distance;
        best = static_cast<int>(i);
    }
    return best;
}

void OpacityChart::move(gpu::render::OpacityPoint to, bool moving) {
    const auto i = static_cast<std::size_t>(m_chosen);
    // A point stays between its neighbours, so that it keeps its number.
    to.position = std::clamp(to.position, i > 0 ? m_points[i - 1].position : 0.0,
                             i + 1 < m_points.size() ? m_points[i + 1].position : 1.0);
    to.opacity = std::clamp(to.opacity, 0.0, 1.0);
    if (to == m_points[i]) return;
    m_points[i] = to;
    describe();
    update();
    emit pointsChanged(moving);
}

void OpacityChart::add(gpu::render::OpacityPoint point) {
    const auto place = std::ranges::upper_bound(m_points, point.position, {}, &gpu::render::OpacityPoint::position);
    m_chosen = static_cast<int>(place - m_points.begin());
    m_points.insert(place, point);
    describe();
    update();
    emit pointsChanged(false);
}

void OpacityChart::remove() {
    if (m_points.size() <= 2) return;
    m_points.erase(m_points.begin() + m_chosen);
    m_chosen = std::min(m_chosen, static_cast<int>(m_points.size()) - 1);
    describe();
    update();
    emit pointsChanged(false);
}

QSize OpacityChart::sizeHint() const { return {296, 104}; }

QSize OpacityChart::minimumSizeHint() const { return {160, 80}; }

void OpacityChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF area = plot();
    painter.drawImage(area, colourStrip(m_state.colourMap(), {256, 1}));
    // What is let through stays dark, as in the picture.
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    line << QPointF(area.left(), toWidget(m_points.front()).y());
    for (const auto& point : m_points) line << toWidget(point);
    line << QPointF(area.right(), toWidget(m_points.back()).y());
    QPolygonF above = line;
    above << area.topRight() << area.topLeft();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(Role::field));
    painter.drawPolygon(above);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour(Role::line), 1));
    painter.drawRect(area);
    painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
    painter.drawPolyline(line);
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        painter.setBrush(static_cast<int>(i) == m_chosen ? colour(Role::accent) : colour(Role::field));
        painter.drawEllipse(toWidget(m_points[i]), kDot, kDot);
    }
}

void OpacityChart::mousePressEvent(QMouseEvent* event) {
    const int point = pointAt(event->position());
    if (event->button() != Qt::LeftButton || point < 0) return event->ignore();
    m_chosen = point;
    m_dragging = true;
    describe();
    update();
}

void OpacityChart::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragging) move(fromWidget(event->position()), true);
}

void OpacityChart::mouseReleaseEvent(QMouseEvent*) {
    if (!m_dragging) return;
    m_dragging = false;
    emit pointsChanged(false);
}

void OpacityChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_dragging = false;
    const int point = pointAt(event->position());
    if (point < 0) return add(fromWidget(event->position()));
    m_chosen = point;
    remove();
}

void OpacityChart::keyPressEvent(QKeyEvent* event) {
    auto point = m_points[static_cast<std::size_t>(m_chosen)];
    const auto choose = [this](int index) {
        m_chosen = std::clamp(index, 0, static_cast<int>(m_points.size()) - 1);
        describe();
        update();
    };
    switch (event->key()) {
        case Qt::Key_Left: point.position -= kStep; return move(point, false);
        case Qt::Key_Right: point.position += kStep; return move(point, false);
        case Qt::Key_Up: point.opacity += kStep; return move(point, false);
        case Qt::Key_Down: point.opacity -= kStep; return move(point, false);
        case Qt::Key_PageUp: return choose(m_chosen - 1);
        case Qt::Key_PageDown: return choose(m_chosen + 1);
        case Qt::Key_Insert: {
            // Half way to the next point, on the line.
            const auto next = static_cast<std::size_t>(m_chosen) + 1;
            const double to = next < m_points.size() ? m_points[next].position : 1.0;
            const double middle = (point.position + to) / 2;
            return add({middle, gpu::render::opacityAt(m_points, middle)});
        }
        case Qt::Key_Delete: return remove();
        default: return QWidget::keyPressEvent(event);
    }
}

}  // namespace warplens::gui
