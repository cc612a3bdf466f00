// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplens::io::codecs {

/// The type in which a stored one is held: u8, u16, u32 and i32 as they are, f32 for every other.
PixelType convertedType(std::string_view stored);

/// Which of the stored values: first, first + step, first + 2 step ...
struct Pick {
    std::int64_t first = 0;
    std::int64_t step = 1;
};

/// Fills the grid, of that type or f32, from stored values of a type ("i16", "f64" ...) in the host's byte order. Adds
/// a note that says how many values changed, if any did. Throws Error(unsupported) when a finite value lies beyond f32.
/// The caller has made sure that the values are there.
void convertValues(std::span<const std::byte> stored, std::string_view type, const Pick& pick, Grid& grid,
                   const std::string& where);

/// Fills an f32 grid with value * slope + intercept, computed in double precision and rounded once.
void scaleValues(std::span<const std::byte> stored, std::string_view type, double slope, double intercept, Grid& grid);

/// Turns every value of `size` bytes around.
void swapBytes(std::span<std::byte> values, std::size_t size);

/// Replaces what is no geometry (spacing that is not above 0, numbers that are not finite, a direction without inverse)
/// by the default and says so in a note.
void tidyGeometry(Grid& grid);

}  // namespace warplens::io::codecs
