// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/volume_state.hpp"
#include "io/grid.hpp"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>
#include <array>

namespace warplens::gui {

/// What to draw of one slice: `size` device pixels around `centre`.
struct SliceRequest {
    SlicePlane plane = SlicePlane::axial;
    int index = 0;  ///< of the slice, along the axis across the plane
    QSize size;
    QPointF centre;          ///< mm along the plane's right and vertical axes
    double pixelsPerMm = 1;  ///< device pixels
    std::array<double, 3> spacing{1, 1, 1};
    DisplayRange range;
    ColourMap map = ColourMap::grey;
    bool labelColours = true;  ///< a volume of labels in ColourMap::labels, whatever `map` is
    QRgb surround = 0xff2e2e2e;
};

/// Each voxel is a block of its own proportions (nearest neighbour); where several fall on one pixel, their mean over
/// at most 4 x 4 of them, or of labels the middle one. Opaque RGB32.
QImage renderSlice(const io::Grid& grid, const SliceRequest& request);

}  // namespace warplens::gui
