// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

namespace warplens::gui {

/// The level that parts the values of a picture best into those above it and the rest: of all levels that with the
/// largest variance between both (Otsu 1979), from some 65,000 pixels; of several that part them equally the middle
/// one. A pixel of several channels stands for its least colour. Quick enough for the UI thread. The grid is not empty.
double separatingLevel(const io::Grid& grid);

}  // namespace warplens::gui
