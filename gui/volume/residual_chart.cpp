// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/residual_chart.hpp"

#include "gui/kit/axis.hpp"
#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {

constexpr Length kLeft{52}, kRight{64}, kTop{8}, kBottom{22};
constexpr double kCurve = 2.4, kDot = 5;
constexpr Length kTickApart{26};  // px between two labels of the log axis
constexpr int kMostDecades = 12;  // further down a change says nothing in single precision

/// 0.01, 100, 1e−7.
QString powerOfTen(int exponent) {
    if (exponent >= -4 && exponent <= 0) return QString::number(std::pow(10.0, exponent), 'f', -exponent);
    if (exponent > 0 && exponent <= 5) return format::integer(std::llround(std::pow(10.0, exponent)));
    return QStringLiteral("1e%1").arg(exponent).replace(u'-', QChar(0x2212));
}

}  // namespace

ResidualChart::ResidualChart(QWidget* parent) : Plot(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAccessibleName(tr("Residual over the steps"));
}

void ResidualChart::setCurves(const std::vector<ResidualPoint>& now, const std::vector<ResidualPoint>& earlier,
                              std::int64_t steps, std::int64_t at) {
    m_now = now;
    m_earlier = earlier;
    m_steps = std::max<std::int64_t>({1, steps, at});
    m_at = at;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const auto* points : {&m_now, &m_earlier})
        for (const ResidualPoint& point : *points) {
            if (!std::isfinite(point.change) || point.change <= 0) continue;
            least = std::min(least, point.change);
            most = std::max(most, point.change);
        }
    if (most > 0) {
        m_top = static_cast<int>(std::ceil(std::log10(most)));
        m_bottom = std::max(static_cast<int>(std::floor(std::log10(least))), m_top - kMostDecades);
        if (m_bottom == m_top) --m_bottom;
    } else {
        m_bottom = -1;
        m_top = 0;
    }
    const ResidualPoint* here = this->at(m_at);
    setAccessibleDescription(here == nullptr
                                 ? tr("No step yet.")
                                 : tr("Step %1: %2.").arg(format::integer(here->step), format::brief(here->change)));
    update();
}

QSize ResidualChart::sizeHint() const { return {640, Length(156)}; }

QSize ResidualChart::minimumSizeHint() const { return {240, Length(84)}; }

QRectF ResidualChart::area() const {
    return QRectF(kLeft, kTop, std::max(1, width() - kLeft - kRight), std::max(1, height() - kTop - kBottom));
}

double ResidualChart::x(std::int64_t step) const {
    return area().left() + area().width() * static_cast<double>(step) / static_cast<double>(m_steps);
}

double ResidualChart::y(double change) const {
    const double exponent = change > 0 ? std::log10(change) : m_bottom;
    const double share = std::clamp((exponent - m_bottom) / (m_top - m_bottom), 0.0, 1.0);
    return area().bottom() - share * area().height();
}

const ResidualPoint* ResidualChart::at(std::int64_t step) const {
    const auto found = std::ranges::lower_bound(m_now, step, {}, &ResidualPoint::step);
    return found != m_now.end() && found->step == step ? &*found : nullptr;
}

void ResidualChart::drawGrid(QPainter& painter) const {
    const QRectF plot = area();
    painter.setFont(textFont(TextSize::caption));
    int every = 1;
    while (plot.height() / (m_top - m_bottom) * every < kTickApart && every < m_top - m_bottom) ++every;
    for (int e = m_top; e >= m_bottom; e -= every) {
        const double at = plot.bottom() - plot.height() * (e - m_bottom) / (m_top - m_bottom);
        painter.fillRect(QRectF(plot.left(), std::round(at), plot.width(), 1), colour(Role::hairline));
        writeText(painter, QRectF(0, at - Length(8), kLeft - Length(7), Length(16)), Qt::AlignRight | Qt::AlignVCenter,
                  powerOfTen(e), Role::text2);
    }
    const TimeAxis axis(plot.left(), plot.right(), plot.right(), static_cast<double>(m_steps));
    for (const double value : axis.ticks()) {
        if (value != std::round(value)) continue;  // there are no half steps
        const double at = axis.x(value);
        painter.fillRect(QRectF(std::round(at), plot.top(), 1, plot.height()), colour(Role::hairline));
        painter.setPen(colour(Role::text2));
        // The last one is named at the axis' end.
        if (at < plot.right() - Length(48))
            painter.drawText(QRectF(at - Length(40), plot.bottom() + 4, Length(80), Length(16)), Qt::AlignCenter,
                             format::integer(std::llround(value)));
    }
    writeText(painter, QRectF(plot.right() - Length(120), plot.bottom() + 4, Length(120) + kRight - kGap, Length(16)),
              Qt::AlignRight | Qt::AlignVCenter, tr("%1 steps").arg(format::integer(m_steps)), Role::text2);
}

void ResidualChart::drawCurve(QPainter& painter, const std::vector<ResidualPoint>& points) const {
    QPolygonF line;
    for (const ResidualPoint& point : points) {
        if (point.step > m_steps) break;
        if (!std::isfinite(point.change)) {
            painter.drawPolyline(line);
            line.clear();
            continue;
        }
        const QPointF now(x(point.step), y(point.change));
        // A million steps have no more columns than the screen.
        if (line.size() > 1 && now.x() - line[line.size() - 2].x() < 0.5)
            line.back() = now;
        else
            line << now;
    }
    painter.drawPolyline(line);
}

void ResidualChart::drawPosition(QPainter& painter) const {
    const QRectF plot = area();
    const double at = x(m_at);
    painter.setPen(QPen(colour(Role::accent), 1.6 * lineScale()));
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
    const ResidualPoint* here = this->at(m_at);
    if (here == nullptr) return;
    const double height = std::isfinite(here->change) ? y(here->change) : plot.center().y();
    painter.setBrush(colour(Role::accent));
    painter.drawEllipse(QPointF(at, height), kDot, kDot);
    painter.setPen(colour(Role::text1));
    const bool left = at > plot.right() - Length(84);
    const double above = height - Length(20) < plot.top() ? height + 4 : height - Length(20);
    painter.drawText(QRectF(left ? at - Length(88) : at + Length(8), above, Length(80), Length(16)),
                     (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, format::brief(here->change));
}

void ResidualChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawGrid(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QRectF plot = area();
    if (!m_earlier.empty()) {
        QPen dashed(colour(Role::text3), 1.5 * lineScale(), Qt::CustomDashLine);
        dashed.setDashPattern({4 / 1.5, 3 / 1.5});
        painter.setPen(dashed);
        drawCurve(painter, m_earlier);
        writeText(painter, QRectF(plot.right() - Length(200), plot.top() + 2, Length(196), Length(16)),
                  Qt::AlignRight | Qt::AlignVCenter, tr("dashed: earlier run, kept"), Role::text3);
    }
    painter.setPen(QPen(colour(Role::text1), kCurve * lineScale(), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawCurve(painter, m_now);
    drawPosition(painter);
}

QString ResidualChart::tipAt(QPoint place) const {
    if (m_now.empty()) return tr("Largest change of a cell per step, log scale.");
    const double share = (place.x() - area().left()) / area().width();
    const auto step = static_cast<std::int64_t>(std::llround(share * static_cast<double>(m_steps)));
    const auto found = std::ranges::lower_bound(m_now, step, {}, &ResidualPoint::step);
    const ResidualPoint& point = found == m_now.end() ? m_now.back() : *found;
    return tr("Step %1: %2").arg(format::integer(point.step), format::brief(point.change));
}

}  // namespace warplens::gui
