// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/convert_values.hpp"
#include "io/grid.hpp"

namespace warplens::io::codecs {

/// Replaces what is no geometry (spacing that is not above 0, numbers that are not finite, a direction without inverse)
/// by the default and says so in a note.
void tidyGeometry(Grid& grid);

}  // namespace warplens::io::codecs
