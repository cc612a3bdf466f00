// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display.hpp"
#include "gpu/render/pyramid.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QSize>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warplens::gui {

/// What to draw: a window of `size` device pixels around `centre`, at `zoom` device pixels a picture pixel.
struct RenderRequest {
    QSize size;
    QPointF centre;
    double zoom = 1;
    std::int64_t slice = 0;
    DisplayRange range;
    ColourMap map = ColourMap::grey;
    bool labelColours = true;  ///< a picture of labels in ColourMap::labels, whatever `map` is
    Outside outside = Outside::clamped;
    QRgb surround = 0xff2e2e2e;  ///< around the picture, and the neutral middle of the diverging map

    bool operator==(const RenderRequest&) const = default;
};

/// Converts the visible part only. At 100 % and above each picture pixel is a block (nearest neighbour); below, values
/// are averaged through the pyramid, or sampled while there is none yet; labels are always sampled. Opaque RGB32; alpha
/// is not blended.
QImage render(const io::Grid& grid, const gpu::render::Pyramid* pyramid, const RenderRequest& request);

/// Where the visible part of a picture is read from: one way for pictures here and on a device. `at` is where the
/// visible part begins on the screen. `levels` there are; `reducible`: also where there are none a small view is
/// averaged, as the picture is small. Null when nothing of the picture is visible.
std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at,
                                                      std::size_t levels, bool reducible = true);
/// With all the levels that it will have.
std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at);

}  // namespace warplens::gui
