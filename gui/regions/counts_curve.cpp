// SPDX-License-Identifier: Apache-2.0
#include "gui/regions/counts_curve.hpp"

#include <algorithm>

namespace warplens::gui {

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
