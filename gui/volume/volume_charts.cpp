// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/volume_charts.hpp"

#include "gui/kit/panel.hpp"
#include "gui/picture/range_bar.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kMargin = 6, kBar = 8, kBarGap = 6, kDot = 5, kReach = 10;

constexpr double kEdge = 7, kStep = 0.02;

}  // namespace

LevelChart::LevelChart(ViewState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setWidgetText(
        this,
        {.name = tr("Values and the range shown"),
         .tip =
             tr("How often each value occurs, log scale. Drag the ends of the line, or between them: values up to the "
                "left end have the map's first colour, from the right end on its last")});
    connect(&state, &ViewState::displayChanged, this, [this] {
        if (m_grip == Grip::none) updateDomain();
        update();
    });
    updateDomain();
}

void LevelChart::setHistogram(const ValueHistogram& histogram) {
    m_histogram = histogram;
    updateDomain();
    update();
}

void LevelChart::updateDomain() {
    const DisplayRange range = m_state.range();
    m_domain = {std::min(range.low, range.high), std::max(range.low, range.high)};
    if (!m_histogram.counts.empty())
        m_domain = {std::min(m_domain.first, m_histogram.low), std::max(m_domain.second, m_histogram.high)};
    if (m_domain.first == m_domain.second) m_domain.second += 1;
}

QRectF LevelChart::plot() const {
    return QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin - kBar - kBarGap);
}

double LevelChart::xOf(double value) const {
    const QRectF area = plot();
    return area.left() + area.width() * (value - m_domain.first) / (m_domain.second - m_domain.first);
}

double LevelChart::valueAt(double x) const {
    const QRectF area = plot();
    return m_domain.first + (x - area.left()) / area.width() * (m_domain.second - m_domain.first);
}

void LevelChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRectF area = plot();
    if (!m_histogram.counts.empty()) {
        const auto most = static_cast<double>(*std::ranges::max_element(m_histogram.counts));
        const double width = (m_histogram.high - m_histogram.low) / static_cast<double>(m_histogram.counts.size());
        for (std::size_t i = 0; i < m_histogram.counts.size(); ++i) {
            const double height =
                area.height() * std::log1p(static_cast<double>(m_histogram.counts[i])) / std::log1p(most);
            const double left = xOf(m_histogram.low + static_cast<double>(i) * width);
            const double right = xOf(m_histogram.low + static_cast<double>(i + 1) * width);
            painter.fillRect(QRectF(left, area.bottom() - height, std::max(1.0, right - left), height),
                             colour(Role::text3));
        }
    }
    painter.setPen(QPen(colour(Role::line), 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());

    const DisplayRange range = m_state.range();
    const QPointF low(xOf(range.low), area.bottom()), high(xOf(range.high), area.top());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
    painter.drawLine(low, high);
    painter.setBrush(colour(Role::accent));
    for (const QPointF& end : {low, high}) painter.drawEllipse(end, kDot, kDot);

    // The bar shows what colour each value has, clamped ends included.
    const QRectF bar(area.left(), area.bottom() + kBarGap, area.width(), kBar);
    const double from = std::min(low.x(), high.x()), to = std::max(low.x(), high.x());
    QImage strip = colourStrip(m_state.colourMap(), {256, 1});
    if (range.low > range.high) strip = strip.mirrored(true, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(bar.left(), bar.top(), from - bar.left(), kBar), QColor(strip.pixel(0, 0)));
    painter.fillRect(QRectF(to, bar.top(), bar.right() - to, kBar), QColor(strip.pixel(255, 0)));
    if (to > from) painter.drawImage(QRectF(from, bar.top(), to - from, kBar), strip);
}

void LevelChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    const double x = event->position().x();
    const DisplayRange range = m_state.range();
    const double toLow = std::abs(x - xOf(range.low)), toHigh = std::abs(x - xOf(range.high));
    const bool between = (x - xOf(range.low)) * (x - xOf(range.high)) < 0;
    // Where the ends lie on each other, height decides.
    const bool lower = toLow == toHigh ? event->position().y() > plot().center().y() : toLow < toHigh;
    m_grip = between && std::min(toLow, toHigh) > kReach ? Grip::both : lower ? Grip::low : Grip::high;
    m_from = valueAt(x);
    m_fromRange = range;
    mouseMoveEvent(event);
}

void LevelChart::mouseMoveEvent(QMouseEvent* event) {
    if (m_grip == Grip::none) return;
    const double value = valueAt(std::clamp(event->position().x(), plot().left(), plot().right()));
    DisplayRange range = m_fromRange;
    switch (m_grip) {
        case Grip::low: range.low = value; break;
        case Grip::high: range.high = value; break;
        case Grip::both:
            range.low += value - m_from;
            range.high += value - m_from;
            break;
        case Grip::none: break;
    }
    m_state.setRange(range);
}

void LevelChart::mouseReleaseEvent(QMouseEvent*) {
    m_grip = Grip::none;
    updateDomain();
    update();
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

QRectF OpacityChart::plot() const { return QRectF(rect()).adjusted(kEdge, kEdge, -kEdge, -kEdge); }

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
