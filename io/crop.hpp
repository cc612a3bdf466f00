// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

namespace warplens::io {

/// The part of a picture from (x, y) on, or of every slice of a volume; it keeps its place in space. Throws
/// Error(argument) where it is empty or reaches outside, Error(limit) as Grid does.
Grid crop(const Grid& grid, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height);

}  // namespace warplens::io
