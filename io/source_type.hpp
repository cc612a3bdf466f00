// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace warplens::io {

/// True for f32 data that came from signed 16-bit integers and whose values are all still such integers, so that a
/// format with signed 16-bit values can hold it exactly.
bool savesAsI16(const Grid& grid);

/// The type that a file of this data has: "i16" as said above, else the name of the grid's own.
std::string savedType(const Grid& grid);

/// Converts values for which savesAsI16() said yes.
void narrowToI16(const float* values, std::int16_t* out, std::size_t count);

/// Converts signed 16-bit values as stored in a file.
void widenFromI16(const std::int16_t* values, float* out, std::size_t count);

}  // namespace warplens::io
