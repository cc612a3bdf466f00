// SPDX-License-Identifier: Apache-2.0
#include "gui/charts/level_chart.hpp"

#include "gui/theme/metrics.hpp"
#include "gui/theme/tokens.hpp"
#include "gui/views/colour_map_button.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {
constexpr double kMargin = 6, kBar = 8, kBarGap = 6, kDot = 5, kReach = 10;
}

LevelChart::LevelChart(ViewState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Values and the range shown"));
    setToolTip(
        tr("How often each value occurs, log scale. Drag the ends of the line, or between them: values up to the "
           "left end have the map's first colour, from the right end on its last"));
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

QSize LevelChart::sizeHint() const { return {296, 132}; }

QSize LevelChart::minimumSizeHint() const { return {160, 100}; }

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

}  // namespace warplens::gui
