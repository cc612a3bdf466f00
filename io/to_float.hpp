// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

namespace warplens::io {

/// The same values as f32; geometry and metadata stay, the type in the file among them. Integers of 32 bits that no f32
/// is go to the nearest one, and a note says how many. Throws Error(limit).
Grid toFloat(const Grid& grid);

}  // namespace warplens::io
