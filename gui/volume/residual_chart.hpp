// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/plot/plot_view.hpp"
#include "gui/volume/playback_model.hpp"

namespace warplens::gui {

/// The largest change of a cell in a step, log scale, over the steps of an
/// iteration; dashed that of the run before.
class ResidualChart : public PlotView {
    Q_OBJECT
public:
    explicit ResidualChart(QWidget* parent = nullptr);
    /// `steps` is the end of the axis, `at` the step of the frame shown.
    void setCurves(const std::vector<ResidualPoint>& now, const std::vector<ResidualPoint>& earlier, std::int64_t steps,
                   std::int64_t at);
    QSize sizeHint() const override { return {640, Length(156)}; }
    QSize minimumSizeHint() const override { return {240, Length(84)}; }
};

}  // namespace warplens::gui
