// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/plot/plot_data.hpp"

#include <QPen>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

/// Values v with low <= v < high.
struct ValueRange {
    double low = 0, high = 0;
    bool operator==(const ValueRange&) const = default;
    bool contains(double v) const { return low <= v && v < high; }
};

/// Number of bins.
int binsOf(const gpu::BinnedCounts& histogram);
/// The bin that holds a value, or -1: below, above or not a number.
int binOf(const gpu::BinnedCounts& histogram, double value);
/// Bins `first` to `last`, both included, as values; either order.
ValueRange rangeOfBins(const gpu::BinnedCounts& histogram, int first, int last);
/// Counts of the bins that lie in the range altogether.
std::int64_t countIn(const gpu::BinnedCounts& histogram, std::size_t channel, const ValueRange& range);
/// Bins, below, above and NaN together: every element once.
std::int64_t elementsOf(const gpu::CountedChannel& channel);
/// For every edge, the share of the channels' numbers (NaN left out) that lie below it. Empty when nothing is shown.
std::vector<double> cumulativeShares(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown);
/// The largest count of a bin in the channels shown.
std::int64_t highestCount(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown);

/// "196 ≤ v < 224".
QString rangeText(const ValueRange& range);
/// The counts as a table, tab-separated: low edge, high edge, a column a channel; then below, above and NaN.
QString countsTable(const gpu::BinnedCounts& histogram);

struct BinScales {
    bool logCounts = false, logValues = false;
};
/// One channel is drawn as bars, the selected ones in the accent; several as outlines over weak fills, each in its
/// channel's colour and line. Where bins are narrower than a pixel, a column shows the highest of them. A choice a bin.
PlotData binsPlot(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown, BinScales scales,
                  const std::optional<ValueRange>& selection);

/// The colour of a channel by its name; other names are neutral.
Role channelRole(const std::string& name);
/// A pen of that colour whose dashes tell red, green, blue and alpha apart without it.
QPen channelPen(const std::string& name);

/// A histogram in a pane: all channels, counts on a logarithmic axis, the ends of both axes named. To look at, not to
/// work with.
class BinsView : public Canvas {
    Q_OBJECT
public:
    using Canvas::Canvas;
    void setHistogram(std::shared_ptr<const gpu::BinnedCounts> histogram);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent*) override { emit focused(); }
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::shared_ptr<const gpu::BinnedCounts> m_histogram;
    PlotData m_plot{.ground = true};
};

}  // namespace warplens::gui
