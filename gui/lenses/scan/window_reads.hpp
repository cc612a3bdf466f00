// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/overlays.hpp"
#include "io/grid.hpp"

namespace warplens::gui {

/// The window of this radius around a pixel, cut off where the picture ends, and the values of the integral picture
/// that give its sum: D - B - C + A. `integral` (inclusive; null: none, then no values are named) has the extents of
/// the picture; `largest` is the largest value a pixel can have, 0 where sums are floats. Of several channels the
/// first.
BoxReads windowReads(const io::Shape& shape, const io::Grid* integral, double largest, QPoint pixel, std::int64_t slice,
                     int radius);

}  // namespace warplens::gui
