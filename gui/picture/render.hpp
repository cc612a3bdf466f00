// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/display.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/picture/view_state.hpp"
#include "io/grid.hpp"

#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QSize>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gui {

/// One slice of a picture at half, a quarter ... of its size, each value the mean of the four above it.
/// Immutable once made, so that any thread may read it.
struct Pyramid {
    /// levels[k] is reduced by 2^(k+1); the last has no side over 256. Type as the picture; depth 1.
    std::vector<io::Grid> levels;
};

/// Levels that a picture of this shape has.
std::size_t levelCount(const io::Shape& shape);

/// Halves until it fits 256 x 256. Empty when stopped. Not for the UI thread: about 0.2 s for 8192 x 8192 f32.
std::shared_ptr<const Pyramid> makePyramid(const io::Grid& grid, std::int64_t slice, std::stop_token stop = {});

/// Mean of each 2 x 2 of slice `slice`; an odd last row or column is averaged with itself.
io::Grid halved(const io::Grid& grid, std::int64_t slice);

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
QImage render(const io::Grid& grid, const Pyramid* pyramid, const RenderRequest& request);

/// Which stored rows or columns the screen's rows or columns begin to end - 1 show.
struct VisibleLine : gpu::render::DisplayLine {
    int begin = 0, end = 0;
};

/// Where the visible part of a picture is read from: one way for pictures here and on a device.
struct Visible {
    VisibleLine across, down;
    int level = 0;  ///< read from the picture reduced by 2^level
    bool smooth = false;
};

/// `levels` there are; `reducible`: also where there are none a small view is averaged, as the picture is small.
Visible visiblePart(const io::Shape& shape, const RenderRequest& request, std::size_t levels, bool reducible);

/// The same for a device that draws, as render() draws it once the reduced levels are there. `at` is where the visible
/// part begins on the screen. Null when nothing of the picture is visible.
std::shared_ptr<const gpu::render::Display> displayOf(const io::Shape& shape, const RenderRequest& request, QPoint& at);

}  // namespace warplens::gui
