// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/plot/plot_data.hpp"
#include "gui/picture/histogram_figures.hpp"

#include <QPen>
#include <memory>
#include <optional>
#include <vector>

namespace warplens::gui {

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
