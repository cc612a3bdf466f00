// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "io/read.hpp"

#include <string>
#include <string_view>

namespace warplens::io {

/// Whether a file is taken for a table of numbers: its name ends in .csv, in letters of either case.
bool isCsv(const std::string& path);

/// A table of numbers as a picture of f32, a line a row: separated by commas, semicolons or blanks, empty lines left
/// out. `name` is what errors call it. Throws Error(unreadable) naming row and column, or Error(limit).
Grid parseCsv(std::string_view text, const std::string& name, const ReadOptions& options = {});

/// A picture as a table of numbers, a line per row, as short as they come back exactly. `where` begins the messages.
/// Throws Error(unsupported) for volumes and colour, which a table has no place for.
std::string toCsv(const Grid& grid, const std::string& where);

}  // namespace warplens::io
