// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gui/why/crossover_chart.hpp"
#include "gui/why/crossover_model.hpp"

#include <QString>
#include <vector>

namespace warplens::gui {

/// The map shown as the chart takes it; empty without a map.
CrossoverChart::Map crossoverMap(const CrossoverModel& model, const gpu::Family& family);

/// Whether it is drawn as curves: one axis, times of a GPU.
bool showsCurve(const CrossoverModel& model);
SweepCurve::Curves sweepCurves(const CrossoverModel& model, const gpu::Family& family);

/// One or two sentences about the map: what it holds and where it is from, or why there is none.
QString crossoverHint(const CrossoverModel& model);

/// "block width", "size of the picture"
QString axisName(const gpu::SweepAxis& axis);
/// "radius 3, 1,024 × 1,024"
QString cellTitle(const gpu::SweepCell& cell, const gpu::Sweep& sweep);
/// "Best: tiled_output@block_width=16, 0.545 ms", of what does the same work as a cell; empty without times of a GPU.
QString bestText(const gpu::SweepCell& cell, const CrossoverModel& model);

/// A row of the times of a cell.
struct CellTime {
    QString variant, median, interval;
    QString reason;      ///< why it has no time, or does not count
    bool counts = true;  ///< whether it competes
};
/// The fastest first; those without a time last.
std::vector<CellTime> cellTimes(const gpu::SweepCell& cell, const CrossoverModel& model);

}  // namespace warplens::gui
