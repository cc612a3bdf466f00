// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/volume_state.hpp"

#include <QPointF>
#include <QRectF>

class QPainter;

namespace warplens::gui {

/// Where a slice lies on its canvas, in widget pixels.
struct SlicePlacement {
    QRectF canvas;   ///< all there is to draw on
    QRectF picture;  ///< the slice; may reach beyond the canvas
    double pixelsPerMm = 1;
};

/// Lines through `cross` in the colours of the axes whose places they mark, and those places beside the picture, or
/// over it where there is no room.
void drawSliceCrosshair(QPainter& painter, const SlicePlacement& placement, SlicePlane plane,
                        const VolumeState::Voxel& voxel, QPointF cross);
/// A round length at the lower right, beside the picture or over it.
void drawScaleBar(QPainter& painter, const SlicePlacement& placement);

}  // namespace warplens::gui
