// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/measure_chart.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gui {

namespace {

constexpr double kMostBins = 24;
constexpr double kRoom = 0.04;  // of the span, beyond the last points

}  // namespace

MeasureChart::MeasureChart(QWidget* parent) : PlotView(parent) {
    setObjectName(QStringLiteral("areas-chart"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Histogram of a measure"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    count();
}

void MeasureChart::setValues(const std::vector<double>& values, const QString& unit, bool whole) {
    m_values = values;
    std::erase_if(m_values, [](double value) { return !std::isfinite(value); });
    m_unit = unit;
    m_whole = whole;
    count();
}

void MeasureChart::setKept(double least, double most) {
    m_least = least;
    m_most = most;
    count();
}

void MeasureChart::count() {
    PlotData plot{.speaks = true, .axesWhenEmpty = true, .foot = true, .pointer = Pointer::band};
    plot.left = Length(44);
    plot.top = Length(18);
    plot.right = Length(16);
    BarMark kept{.name = tr("kept"), .ink = Role::accent}, others{.name = tr("others"), .ink = Role::text3};
    double low = 0, highest = 1;
    if (!m_values.empty()) {
        const auto [least, most] = std::ranges::minmax(m_values);
        m_wide = m_whole        ? roundStep(std::max(1.0, (most - least + 1) / kMostBins))
                 : most > least ? roundStep((most - least) / (kMostBins - 1))
                                : 1;
        low = std::floor(least / m_wide) * m_wide;
        const auto bins = static_cast<std::size_t>(std::floor((most - low) / m_wide)) + 1;
        for (std::size_t i = 0; i < bins; ++i) {
            const double from = low + static_cast<double>(i) * m_wide;
            kept.bars.push_back({from, from + m_wide, 0, 0});
        }
        others.bars = kept.bars;
        for (const double value : m_values) {
            const auto i = static_cast<std::size_t>((value - low) / m_wide);
            if (value >= m_least && value <= m_most) ++kept.bars[i].top;
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
    const QString unit = m_unit.isEmpty() ? m_unit : u' ' + m_unit;
    plot.choices.spoken = [kept = kept.bars, others = others.bars, unit, whole = m_whole](int bin) {
        const auto i = static_cast<std::size_t>(bin);
        return tr("%1 to %2%3: %4 regions, %5 of them kept")
            .arg(format::value(kept[i].from), format::value(kept[i].to - (whole ? 1 : 0)), unit,
                 wholeNumber(others[i].top), wholeNumber(kept[i].top));
    };
    plot.spoken = tr("%1 regions in bins of %2%3")
                      .arg(format::integer(static_cast<std::int64_t>(m_values.size())), format::value(m_wide), unit);
    if (!m_values.empty()) plot.marks = {std::move(kept), std::move(others)};
    setPlot(std::move(plot));
}

MeasureScatter::MeasureScatter(QWidget* parent) : PlotView(parent) {
    setObjectName(QStringLiteral("measures-scatter"));
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Scatter of two measures"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void MeasureScatter::setRows(const Rows& rows) {
    PlotData plot{.speaks = true, .axesWhenEmpty = true, .pointer = Pointer::ring};
    plot.left = Length(44);
    plot.top = Length(18);
    plot.right = Length(16);
    m_order.clear();
    for (std::size_t i = 0; i < rows.x.size(); ++i)
        if (std::isfinite(rows.x[i]) && std::isfinite(rows.y[i])) m_order.push_back(i);
    std::ranges::stable_sort(m_order, {}, [&](std::size_t i) { return rows.x[i]; });
    PointMark kept{.name = tr("kept"), .size = 5, .ink = Role::accent},
        others{.name = tr("others"), .size = 5, .ink = Role::text3};
    for (const std::size_t i : m_order) {
        const QPointF at(rows.x[i], rows.y[i]);
        plot.choices.at << at;
        (rows.kept[i] ? kept : others).at << at;
    }
    // Without titles: the choosers below say what is shown.
    const auto axis = [](const std::vector<double>& values, const std::vector<std::size_t>& order) {
        PlotAxis made{.low = 0, .high = 1, .apart = 48, .grid = true, .text = format::brief};
        if (order.empty()) return made;
        const auto [least, most] = std::ranges::minmax(order, {}, [&](std::size_t i) { return values[i]; });
        const double room = values[most] > values[least] ? kRoom * (values[most] - values[least]) : 0.5;
        made.low = values[least] - room;
        made.high = values[most] + room;
        return made;
    };
    plot.x = axis(rows.x, m_order);
    plot.y = axis(rows.y, m_order);
    plot.choices.by = PlotChoices::By::point;
    plot.choices.spoken = [rows, order = m_order](int choice) {
        const std::size_t i = order[static_cast<std::size_t>(choice)];
        return tr("region %1: %2 %3, %4 %5")
            .arg(rows.labels[i])
            .arg(rows.across, format::value(rows.x[i]), rows.up, format::value(rows.y[i]));
    };
    plot.spoken = tr("%1 regions, %2 over %3").arg(m_order.size()).arg(rows.up, rows.across);
    if (!m_order.empty()) plot.marks = {std::move(others), std::move(kept)};
    setPlot(std::move(plot));
}

void MeasureScatter::setChosenRow(std::optional<std::size_t> row) {
    const auto at = row ? std::ranges::find(m_order, *row) : m_order.end();
    setChosen(at == m_order.end() ? -1 : static_cast<int>(at - m_order.begin()));
}

CountsCurve::CountsCurve(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Counts by step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void CountsCurve::setCounts(std::vector<std::int64_t> counts, std::int64_t first, const QString& steps) {
    m_counts = std::move(counts);
    const auto many = static_cast<std::int64_t>(m_counts.size());
    const std::int64_t highest = m_counts.empty() ? 1 : std::max<std::int64_t>(1, std::ranges::max(m_counts));
    const auto from = static_cast<double>(first), top = static_cast<double>(highest);
    PlotData plot{.pointer = Pointer::rule};
    plot.left = Length(60);
    plot.right = Length(20);
    plot.leastHeight = Length(52);
    plot.x = {.low = from,
              .high = from + static_cast<double>(std::max<std::int64_t>(1, many - 1)),
              .end = tr("%1 %2").arg(format::integer(first + many - 1), steps),
              .whole = true,
              .text = wholeNumber};
    plot.y = {.low = 0, .high = top, .grid = true, .ticks = {0, top}, .text = wholeNumber};
    LineMark line{.peaks = true};
    for (const std::int64_t count : m_counts)
        line.at << QPointF(from + static_cast<double>(line.at.size()), static_cast<double>(count));
    plot.choices = {.by = PlotChoices::By::column, .at = line.at, .spoken = [this, first](int step) {
                        return tr("Step %1: %2")
                            .arg(format::integer(first + step),
                                 format::integer(m_counts[static_cast<std::size_t>(step)]));
                    }};
    if (many > 0) plot.marks.emplace_back(std::move(line));
    plot.spoken = tr("%1 %2, at most %3 at once").arg(format::integer(many), steps, format::integer(highest));
    setPlot(std::move(plot));
}

}  // namespace warplens::gui
