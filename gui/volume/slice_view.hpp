// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/session/volume_state.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <memory>

namespace warplens::gui {

/// One slice of a volume with the crosshair in the axes' colours, and a scale bar. Wheel, arrows, comma and full stop
/// go to the next slice, Page Up and Page Down ten on, Home and End to the ends; a click, or Shift and moving, sets the
/// crosshair; Ctrl+wheel, + and - zoom, dragging pans, Ctrl+arrows move the crosshair in the plane, F fits.
class SliceView : public Canvas {
    Q_OBJECT

public:
    /// `state` outlives the view.
    SliceView(SlicePlane plane, VolumeState& state, QWidget* parent = nullptr);

    /// Null: `message` alone is shown.
    void setVolume(std::shared_ptr<const io::Grid> volume, const QString& message = {});
    SlicePlane plane() const { return m_plane; }

    /// Widget position of a point in mm, and back; the coordinate across the plane is the slice's middle.
    QPointF toWidget(const VolumeState::Position& mm) const;
    VolumeState::Position toVolume(QPointF widget) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void invalidate() override;
    void updateViewport();
    void pointAt(QPointF widget);
    QRectF pictureRect() const;

    SlicePlane m_plane;
    VolumeState& m_state;
    std::shared_ptr<const io::Grid> m_volume;
    QString m_message;
    QImage m_cache;
    bool m_pressed = false, m_dragging = false;
    QPointF m_dragFrom;
    VolumeState::Position m_dragCentre{};
    double m_turn = 0;  ///< notches not yet a slice
};

}  // namespace warplens::gui
