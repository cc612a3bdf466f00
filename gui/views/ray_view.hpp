// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/jobs/ray_frames.hpp"
#include "gui/views/volume_state.hpp"

#include <QWidget>
#include <optional>

namespace warplens::gui {

/// The 3D pane's canvas: the newest frame with the volume's box, the axes and the crosshair drawn over it. Dragging and
/// arrows turn it, wheel, + and - zoom, dragging with the middle button moves it, Home and F go back to the start. It
/// asks for frames and is given them.
class RayView : public QWidget {
    Q_OBJECT

public:
    /// `state` outlives the view.
    explicit RayView(VolumeState& state, QWidget* parent = nullptr);

    const gpu::render::View& view() const { return m_view; }
    void setView(const gpu::render::View& view);
    /// The next frame to show. A stale one (of an earlier view) is shown with its own box, so that nothing comes apart.
    void setFrame(const RayFrame& frame);
    /// No frame, and why; empty: just the box.
    void clear(const QString& message = {});
    void setMarksShown(bool shown);
    bool marksShown() const { return m_marksShown; }
    /// In the caption: "35°, 22°".
    QString angles() const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

public slots:
    void turn(double yaw, double pitch);
    void zoomBy(double factor);
    void reset();

signals:
    /// Another view is wanted; `moving` when more of the like will follow.
    void viewChanged(bool moving);
    /// The canvas has another size.
    void resized();
    void activated();
    void focused();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintMarks(QPainter& painter, const gpu::render::View& view) const;

    VolumeState& m_state;
    gpu::render::View m_view;
    std::optional<RayFrame> m_frame;
    QString m_message;
    bool m_marksShown = true;
    Qt::MouseButton m_pressed = Qt::NoButton;
    QPointF m_last;
};

}  // namespace warplens::gui
