// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/transfer.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/picture/view_state.hpp"

#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <utility>
#include <vector>

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

    QSize sizeHint() const override { return {296, 132}; }
    QSize minimumSizeHint() const override { return {160, 100}; }

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

/// Opacity over value as a line with points: dragged by mouse, added by a double click, removed by a double click on
/// one. By keys: arrows move the chosen point, Page Up and Page Down choose, Insert adds, Delete removes.
class OpacityChart : public QWidget {
    Q_OBJECT

public:
    /// Points always number at least two; `state` gives the colours and outlives the chart.
    explicit OpacityChart(ViewState& state, QWidget* parent = nullptr);
    const std::vector<gpu::render::OpacityPoint>& points() const { return m_points; }
    void setPoints(std::vector<gpu::render::OpacityPoint> points);
    int chosen() const { return m_chosen; }
    /// Widget position of a point.
    QPointF toWidget(const gpu::render::OpacityPoint& point) const;

    QSize sizeHint() const override { return {296, 104}; }
    QSize minimumSizeHint() const override { return {160, 80}; }

signals:
    /// By the user; `moving` while a point is dragged.
    void pointsChanged(bool moving);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF plot() const;
    int pointAt(QPointF widget) const;
    void move(gpu::render::OpacityPoint to, bool moving);
    void add(gpu::render::OpacityPoint point);
    void remove();
    gpu::render::OpacityPoint fromWidget(QPointF widget) const;
    void describe();

    ViewState& m_state;
    std::vector<gpu::render::OpacityPoint> m_points;
    int m_chosen = 0;
    bool m_dragging = false;
};

}  // namespace warplens::gui
