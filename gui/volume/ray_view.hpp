// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/session/volume_state.hpp"
#include "gui/volume/ray_frames.hpp"

#include <optional>

namespace warplens::gui {

/// The 3D pane's canvas: the newest frame with the volume's box, the axes and the crosshair drawn over it. Dragging and
/// arrows turn it, wheel, + and - zoom, dragging with the middle button moves it, Home and F go back to the start. It
/// asks for frames and is given them.
class RayView : public Canvas {
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
    /// In the caption: "35°, 22°".
    QString angles() const;

public slots:
    void turn(double yaw, double pitch);
    void zoomBy(double factor);
    void reset() { setView({}); }

signals:
    /// Another view is wanted; `moving` when more of the like will follow.
    void viewChanged(bool moving);
    /// The canvas has another size.
    void resized();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { emit resized(); }
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

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
