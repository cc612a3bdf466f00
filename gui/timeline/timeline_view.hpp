// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/timeline/timeline_model.hpp"

#include <optional>

namespace warplens::gui {

/// The lanes of a timeline over a time axis, and below them the whole run with what is seen of it. The wheel zooms,
/// dragging moves; arrow keys choose a bar, with Shift they move, + and - zoom.
class TimelineView : public Plot {
    Q_OBJECT
public:
    explicit TimelineView(TimelineModel& model, QWidget* parent = nullptr);
    /// The chosen bar, or the one under the mouse.
    std::optional<TimelineModel::Place> looked() const { return m_hovered ? m_hovered : m_model.chosen(); }
    /// Where a bar lies; it may be outside of what is seen.
    QRectF barRect(TimelineModel::Place place) const;
    QSize sizeHint() const override { return {640, 320}; }
    QSize minimumSizeHint() const override { return {320, Length(150)}; }

signals:
    /// looked() is another one.
    void lookedChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent*) override { m_dragged.reset(); }
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { hover(std::nullopt); }
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;              ///< of the lanes
    QRectF overview() const;          ///< of the whole run
    QRectF laneRect(int lane) const;  ///< of the number of lanes: where the last one ends
    void layOut();
    struct Ticks {
        double unit, step;  ///< so many units a second; between two ticks
        int decimals;
    };
    Ticks ticks() const;
    double x(double seconds) const;
    double secondsAt(double x) const;
    std::optional<TimelineModel::Place> placeAt(QPointF position) const;
    void hover(std::optional<QPointF> position);
    void seeAround(double x);
    void paintAxis(QPainter& painter) const;
    void paintExposed(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintLanes(QPainter& painter) const;
    void paintLooked(QPainter& painter) const;
    void paintOverview(QPainter& painter) const;

    TimelineModel& m_model;
    std::vector<double> m_tops{0};  ///< of the lanes, and where the last one ends, in heights of a whole lane
    std::optional<TimelineModel::Place> m_hovered;
    std::optional<double> m_mouse;    ///< x of it
    std::optional<double> m_dragged;  ///< x of the mouse, while it drags
    bool m_inOverview = false;        ///< it drags there
};

}  // namespace warplens::gui
