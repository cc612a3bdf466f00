// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/volume/playback_model.hpp"

#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

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

/// One variant in the chart of rates.
struct RateBar {
    gpu::Idea idea;
    QString name;
    std::optional<double> gcells;  ///< Gcell/s on a GPU; the bar. None: no bar
    QString time;                  ///< right of the name: "0.338 ms"
    QString aside;                 ///< below, in the hint's colour: measured by a clock that ranks nothing
    bool current = false;
};

/// Gcell/s of each variant as bars from 0, beside the line of one sweep at copy speed.
class RateBars : public QWidget {
    Q_OBJECT
public:
    explicit RateBars(QWidget* parent = nullptr);
    /// `line` in Gcell/s; none: no line.
    void setBars(std::vector<RateBar> bars, std::optional<double> line);
    const std::vector<RateBar>& bars() const { return m_bars; }
    QSize sizeHint() const override { return {288, height()}; }
    QSize minimumSizeHint() const override { return {200, height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rowHeight(const RateBar& bar) const;
    int height() const;

    std::vector<RateBar> m_bars;
    std::optional<double> m_line;
};

}  // namespace warplens::gui
