// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_chart.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

CellMark markOf(const CrossoverChart::Cell& cell, int column, int row) {
    CellMark mark{.column = column,
                  .row = row,
                  .name = cell.name,
                  .figure = cell.figure,
                  .detail = cell.detail,
                  .origin = cell.origin};
    if (cell.idea) {
        mark.ink = *cell.idea;
        mark.ideas = {*cell.idea};
        mark.plainShapes = true;
    } else if (cell.share) {
        mark.ink = PlotInk::Between{Role::dock, Role::bars, *cell.share};
    } else {
        mark.ink = cell.same.empty() ? Role::dock : Role::control;
        mark.words = cell.same.empty() ? Role::text3 : Role::text1;
        mark.ideas = cell.same;
    }
    return mark;
}

}  // namespace

CrossoverChart::CrossoverChart(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Map over two axes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void CrossoverChart::setMap(Map map) {
    const QPoint before = chosenCell();
    m_map = std::move(map);
    const auto columns = static_cast<int>(m_map.columns.size()), rows = static_cast<int>(m_map.rows.size());
    PlotData plot{.pointer = Pointer::frame, .right = kDockMargin};
    plot.x = {
        .kind = ScaleKind::category, .categories = m_map.columns, .title = m_map.columnTitle, .size = TextSize::body};
    plot.y = {.kind = ScaleKind::category, .categories = m_map.rows, .title = m_map.rowTitle, .size = TextSize::body};
    for (int i = 0; i < rows * columns; ++i) {
        plot.marks.emplace_back(markOf(m_map.cells[static_cast<std::size_t>(i)], i % columns, i / columns));
        plot.choices.at << QPointF(i % columns, i / columns);
    }
    plot.choices.by = PlotChoices::By::cell;
    plot.choices.spoken = [this](int cell) { return m_map.cells[static_cast<std::size_t>(cell)].spoken; };
    setPlot(std::move(plot));
    setChosen(std::clamp(before.y(), 0, std::max(0, rows - 1)) * columns +
              std::clamp(before.x(), 0, std::max(0, columns - 1)));
}

QPoint CrossoverChart::chosenCell() const {
    const auto columns = std::max(1, static_cast<int>(m_map.columns.size())), at = std::max(0, chosen());
    return {at % columns, at / columns};
}

}  // namespace warplens::gui
