// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace warplens::gpu::render {

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
/// The same of `rows` rows from `first` on alone.
io::Grid halved(const io::Grid& grid, std::int64_t slice, std::int64_t first, std::int64_t rows);

}  // namespace warplens::gpu::render
