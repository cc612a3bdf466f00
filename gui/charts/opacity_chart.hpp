// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/transfer.hpp"
#include "gui/views/view_state.hpp"

#include <QPointF>
#include <QRectF>
#include <QWidget>
#include <vector>

namespace warplens::gui {

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

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

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
