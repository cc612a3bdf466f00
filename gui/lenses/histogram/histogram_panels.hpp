// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/lenses/histogram/histogram_model.hpp"
#include "gui/session/run_control.hpp"

#include <QWidget>

namespace warplens::gui {

class HistogramChart;

/// `chart`, which it takes over, under a head with its axes, its channels and what made the counts.
QWidget* makeCountsPanel(HistogramModel& model, HistogramChart* chart, QWidget* parent);

/// A line of the statistics: a name and a figure a channel.
struct StatisticsRow {
    QString name;
    QStringList values;
};

/// Figures of the values and what the bins left out, as text; two to a line for one channel, else one. `counts` may be
/// null.
std::vector<StatisticsRow> statisticsRows(const std::vector<ChannelStatistics>& channels,
                                          const gpu::BinnedCounts* counts);

/// Right dock of the Histogram page: statistics of the values, contention of lanes, recorded and measured rates.
QWidget* makeHistogramStatistics(RequestState& request, RunTableModel& runs, RunControl& control, HistogramModel& model,
                                 QWidget* parent);

}  // namespace warplens::gui
