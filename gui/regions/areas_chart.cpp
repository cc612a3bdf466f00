// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/areas_chart.hpp"

#include "gui/kit/axis.hpp"
#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr Length kLeftOfBars{44}, kAboveBars{14}, kBelowBars{20}, kLine{16}, kApart{52};
constexpr double kMostBins = 24;

}  // namespace

AreasChart::AreasChart(QWidget* parent) : Plot(parent) {
    setObjectName(QStringLiteral("areas-chart"));
    setAccessibleName(tr("Histogram of areas"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

QSize AreasChart::sizeHint() const { return {288, Length(134)}; }

QSize AreasChart::minimumSizeHint() const { return {200, Length(56)}; }

QRectF AreasChart::area() const {
    return QRectF(kLeftOfBars, kAboveBars, std::max(1, width() - kLeftOfBars - kLine),
                  std::max(1, height() - kAboveBars - kBelowBars));
}

double AreasChart::x(double value) const {
    const double span = m_wide * static_cast<double>(std::max<std::size_t>(1, m_bins.size()));
    return area().left() + area().width() * (value - m_low) / span;
}

void AreasChart::setAreas(const std::vector<double>& areas) {
    m_areas = areas;
    count();
}

void AreasChart::setKept(double least, double most) {
    m_least = least;
    m_most = most;
    count();
}

void AreasChart::count() {
    m_bins.clear();
    if (!m_areas.empty()) {
        const auto [least, most] = std::ranges::minmax(m_areas);
        m_wide = roundStep(std::max(1.0, (most - least + 1) / kMostBins));
        m_low = std::floor(least / m_wide) * m_wide;
        m_bins.resize(static_cast<std::size_t>(std::floor((most - m_low) / m_wide)) + 1);
        for (const double area : m_areas) {
            Bin& bin = m_bins[static_cast<std::size_t>((area - m_low) / m_wide)];
            ++(area >= m_least && area <= m_most ? bin.kept : bin.others);
        }
    }
    setAccessibleDescription(
        tr("%1 areas in bins of %2 pixels")
            .arg(format::integer(static_cast<std::int64_t>(m_areas.size())), format::value(m_wide)));
    update();
}

void AreasChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(textFont(TextSize::caption));
    const QRectF plot = area();
    std::int64_t highest = 1;
    for (const Bin& bin : m_bins) highest = std::max(highest, bin.all());
    const auto tall = [&](std::int64_t regions) {
        return plot.height() * static_cast<double>(regions) / static_cast<double>(highest);
    };
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        const double left = x(m_low + static_cast<double>(i) * m_wide),
                     wide = plot.width() / static_cast<double>(m_bins.size());
        const QRectF kept(left, plot.bottom() - tall(m_bins[i].kept), std::max(1.0, wide - 1), tall(m_bins[i].kept));
        painter.fillRect(kept, colour(Role::accent));
        painter.fillRect(QRectF(kept.left(), kept.top() - tall(m_bins[i].others), kept.width(), tall(m_bins[i].others)),
                         colour(Role::text3));
    }
    painter.fillRect(QRectF(plot.left(), plot.bottom(), plot.width(), 1), colour(Role::text3));
    const auto count = [&](double y, std::int64_t value) {
        writeText(painter, QRectF(0, y - kLine / 2.0, plot.left() - 6, kLine), Qt::AlignRight | Qt::AlignVCenter,
                  format::integer(value), Role::text2);
    };
    count(plot.bottom(), 0);
    if (m_bins.empty()) return;
    count(plot.top(), highest);
    const ValueScale scale(m_low, m_low + m_wide * static_cast<double>(m_bins.size()), m_wide, false, plot.left(),
                           plot.right());
    for (const double tick : scale.ticks(1.5 * kApart))
        if (scale.x(tick) + kApart / 2.0 <= width())
            writeText(painter, QRectF(scale.x(tick) - kApart / 2.0, plot.bottom() + 3, kApart, kLine), Qt::AlignCenter,
                      format::brief(tick), Role::text2);
}

QString AreasChart::tipAt(QPoint place) const {
    const double share = (place.x() - area().left()) / area().width();
    const auto bins = static_cast<double>(m_bins.size());
    if (share < 0 || share >= 1 || m_bins.empty()) return {};
    const auto i = static_cast<std::size_t>(share * bins);
    const double low = m_low + static_cast<double>(i) * m_wide;
    return tr("%1 to %2 pixels: %3 regions, %4 of them kept")
        .arg(format::value(low), format::value(low + m_wide - 1), format::integer(m_bins[i].all()),
             format::integer(m_bins[i].kept));
}

}  // namespace warplens::gui
