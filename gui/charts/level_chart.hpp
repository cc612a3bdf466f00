// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/value_histogram.hpp"
#include "gui/views/view_state.hpp"

#include <QRectF>
#include <QWidget>
#include <utility>

namespace warplens::gui {

/// How often each value occurs (log scale), the ramp from the value shown first to the one shown last in the colour
/// map, and the map's colours below. The ramp's two ends are dragged; dragging between them moves both.
class LevelChart : public QWidget {
    Q_OBJECT

public:
    /// `state` outlives the chart.
    explicit LevelChart(ViewState& state, QWidget* parent = nullptr);
    void setHistogram(const ValueHistogram& histogram);
    /// Values at the left and right edge of the chart.
    std::pair<double, double> domain() const { return m_domain; }
    double xOf(double value) const;
    double valueAt(double x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRectF plot() const;
    void updateDomain();

    enum class Grip { none, low, high, both };
    ViewState& m_state;
    ValueHistogram m_histogram;
    std::pair<double, double> m_domain{0, 1};
    Grip m_grip = Grip::none;
    double m_from = 0;
    DisplayRange m_fromRange;
};

}  // namespace warplens::gui
