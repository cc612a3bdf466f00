// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/lanes_chart.hpp"

#include "gpu/render/colour_table.hpp"

#include <algorithm>
#include <numeric>

namespace warplens::gui {

namespace {

constexpr int kLanes = 32;

}  // namespace

LanesChart::LanesChart(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Chart of lanes that meet"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void LanesChart::setRequests(const std::array<std::int64_t, 33>& requests) {
    PlotData plot{.speaks = true, .axesWhenEmpty = true, .foot = true, .pointer = Pointer::band};
    plot.left = plot.right = Length(4);
    plot.top = Length(18);
    plot.x = {.low = 0.5,
              .high = kLanes + 0.5,
              .title = tr("most lanes of a warp in one bin"),
              .ticks = {1, 8, 16, 24, kLanes},
              .text = wholeNumber};
    plot.y = {
        .low = 0,
        .high = static_cast<double>(std::max<std::int64_t>(1, *std::max_element(requests.begin() + 1, requests.end()))),
        .bare = true};
    const auto& colours = gpu::render::coloursOf(gpu::render::ColourTable::cividis);
    const std::int64_t all = std::accumulate(requests.begin() + 1, requests.end(), std::int64_t{0});
    const auto textOf = [requests, all](int lanes) {
        const std::int64_t count = requests[static_cast<std::size_t>(lanes)];
        return tr("%1 lanes: %2 requests, %3")
            .arg(lanes)
            .arg(format::integer(count),
                 format::percent(all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0));
    };
    QStringList spoken;
    for (int n = 1; n <= kLanes; ++n) {
        const auto count = static_cast<double>(requests[static_cast<std::size_t>(n)]);
        plot.choices.at << QPointF(n, count);
        if (count <= 0) continue;
        spoken << textOf(n);
        // The ends of the colour table are too near to one dock or the other: an
        // outline.
        const QColor ink = QColor::fromRgb(colours[static_cast<std::size_t>((n - 1) * 255 / (kLanes - 1))]);
        plot.marks.emplace_back(BarMark{.bars = {{n - 0.5, n + 0.5, 0, count}}, .ink = ink, .outline = Role::bars});
    }
    plot.choices.by = PlotChoices::By::column;
    plot.choices.spoken = [textOf](int i) { return textOf(i + 1); };
    plot.spoken = spoken.join(QStringLiteral("; "));
    setPlot(std::move(plot));
}

}  // namespace warplens::gui
