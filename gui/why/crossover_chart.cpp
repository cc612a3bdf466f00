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

constexpr double kWide = 20;    // from which ratio of times on the scale is logarithmic
constexpr double kRoom = 1.05;  // above the slowest
constexpr int kTicksApart = 40;

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

SweepCurve::SweepCurve(QWidget* parent) : PlotView(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Times over one axis"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SweepCurve::setCurves(Curves curves) {
    m_curves = std::move(curves);
    PlotData plot{.origin = m_curves.origin, .legend = LegendPlace::ends, .pointer = Pointer::band};
    double most = 0, least = 0;
    for (const Curve& curve : m_curves.curves) {
        LineMark line{.name = curve.name, .ink = curve.idea, .width = 2, .idea = curve.idea};
        WhiskerMark intervals{.name = curve.name, .ink = curve.idea};
        PointMark shapes{.name = curve.name, .idea = curve.idea};
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const auto at = static_cast<double>(i);
            if (!curve.points[i]) {
                line.at << QPointF(at, qQNaN());
                continue;
            }
            const auto [median, low, high] = *curve.points[i];
            line.at << QPointF(at, median);
            intervals.whiskers.push_back({at, low, high});
            shapes.at << QPointF(at, median);
            most = std::max(most, high);
            least = least <= 0 ? low : std::min(least, low);
        }
        for (PlotMark mark : {PlotMark(line), PlotMark(intervals), PlotMark(shapes)}) plot.marks.push_back(mark);
    }
    const bool log = least > 0 && most > kWide * least;
    plot.head = log ? tr("median, ms, logarithmic; bars: 95 % interval") : tr("median, ms; bars: 95 % interval");
    plot.x = {.kind = ScaleKind::category, .categories = m_curves.values, .title = m_curves.title};
    plot.y = {.kind = log ? ScaleKind::logarithmic : ScaleKind::linear,
              .low = log ? least : 0,
              .high = kRoom * most,
              .apart = kTicksApart,
              .grid = true,
              .text = format::brief};
    for (int i = 0; i < m_curves.values.size(); ++i) {
        plot.choices.at << QPointF(i, qQNaN());
        if (m_curves.refused[static_cast<std::size_t>(i)])
            plot.marks.emplace_back(StatusAtFoot{static_cast<double>(i), ResultState::unsupported});
    }
    plot.choices.by = PlotChoices::By::column;
    plot.choices.spoken = [this](int value) { return m_curves.spoken.value(value); };
    if (most <= 0) plot.marks.clear();
    setPlot(std::move(plot));
    setChosen(std::clamp(chosen(), 0, std::max(0, static_cast<int>(m_curves.values.size()) - 1)));
}

}  // namespace warplens::gui
