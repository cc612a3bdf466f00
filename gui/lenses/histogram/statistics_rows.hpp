// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"
#include "gui/lenses/histogram/histogram_jobs.hpp"

#include <QString>
#include <QStringList>
#include <vector>

namespace warplens::gui {

/// A line of the statistics: a name and a figure a channel.
struct StatisticsRow {
    QString name;
    QStringList values;
};

/// Figures of the values and what the bins left out, as text; two to a line for one channel, else one. `counts` may be
/// null.
std::vector<StatisticsRow> statisticsRows(const std::vector<ChannelStatistics>& channels,
                                          const gpu::BinnedCounts* counts);

}  // namespace warplens::gui
