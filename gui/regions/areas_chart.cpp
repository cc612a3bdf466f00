// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/areas_chart.hpp"

#include "gui/kit/plot/scale.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kMostBins = 24;

}  // namespace

AreasChart::AreasChart(QWidget* parent) : PlotView(parent) {
    setObjectName(QStringLiteral("areas-chart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Histogram of areas"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    count();
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
    PlotData plot{.speaks = true, .axesWhenEmpty = true, .foot = true, .pointer = Pointer::band};
    plot.left = Length(44);
    plot.top = Length(18);
    plot.right = Length(16);
    BarMark kept{.name = tr("kept"), .ink = Role::accent}, others{.name = tr("others"), .ink = Role::text3};
    double low = 0, highest = 1;
    if (!m_areas.empty()) {
        const auto [least, most] = std::ranges::minmax(m_areas);
        m_wide = roundStep(std::max(1.0, (most - least + 1) / kMostBins));
        low = std::floor(least / m_wide) * m_wide;
        const auto bins = static_cast<std::size_t>(std::floor((most - low) / m_wide)) + 1;
        for (std::size_t i = 0; i < bins; ++i) {
            const double from = low + static_cast<double>(i) * m_wide;
            kept.bars.push_back({from, from + m_wide, 0, 0});
        }
        others.bars = kept.bars;
        for (const double area : m_areas) {
            const auto i = static_cast<std::size_t>((area - low) / m_wide);
            if (area >= m_least && area <= m_most) ++kept.bars[i].top;
            ++others.bars[i].top;
        }
        for (std::size_t i = 0; i < bins; ++i) {
            others.bars[i].foot = kept.bars[i].top;
            highest = std::max(highest, others.bars[i].top);
            plot.choices.at << QPointF(others.bars[i].from + m_wide / 2, others.bars[i].top);
        }
    }
    plot.x = {
        .low = low, .high = kept.bars.empty() ? low + m_wide : kept.bars.back().to, .apart = 78, .text = format::brief};
    plot.y = {.low = 0, .high = highest, .ticks = {0, highest}, .text = wholeNumber};
    plot.choices.by = PlotChoices::By::column;
    plot.choices.spoken = [kept = kept.bars, others = others.bars](int bin) {
        const auto i = static_cast<std::size_t>(bin);
        return tr("%1 to %2 pixels: %3 regions, %4 of them kept")
            .arg(format::value(kept[i].from), format::value(kept[i].to - 1), wholeNumber(others[i].top),
                 wholeNumber(kept[i].top));
    };
    plot.spoken = tr("%1 areas in bins of %2 pixels")
                      .arg(format::integer(static_cast<std::int64_t>(m_areas.size())), format::value(m_wide));
    if (!m_areas.empty()) plot.marks = {std::move(kept), std::move(others)};
    setPlot(std::move(plot));
}

}  // namespace warplens::gui
