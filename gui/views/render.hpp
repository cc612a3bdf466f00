// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/views/pyramid.hpp"
#include "gui/views/view_state.hpp"
#include "io/grid.hpp"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>
#include <cstdint>

namespace warplens::gui {

/// Fixed colours of values that are not numbers; the same in every colour map and scheme.
constexpr QRgb kNanColour = 0xffd000d0;      ///< magenta
constexpr QRgb kPlusInfColour = 0xffff3030;  ///< red
constexpr QRgb kMinusInfColour = 0xff3050ff; ///< blue

/// What to draw: a window of `size` device pixels around `centre`, at `zoom` device pixels a picture pixel.
struct RenderRequest {
    QSize size;
    QPointF centre;
    double zoom = 1;
    std::int64_t slice = 0;
    DisplayRange range;
    ColourMap map = ColourMap::grey;
    QRgb surround = 0xff2e2e2e;  ///< around the picture, and the neutral middle of the diverging map
};

/// Converts the visible part only. At 100 % and above each picture pixel is a block (nearest neighbour); below, values are
/// averaged through the pyramid, or sampled while there is none yet. Opaque RGB32; alpha is not blended.
QImage render(const io::Grid& grid, const Pyramid* pyramid, const RenderRequest& request);

/// The colour of one value of a one-channel picture.
QRgb mapped(double value, DisplayRange range, ColourMap map, QRgb neutral = 0xff2e2e2e);

}  // namespace warplens::gui
