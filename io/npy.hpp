// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/file.hpp"
#include "io/grid.hpp"
#include "io/read.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace warplens::io {

/// NumPy's own format, versions 1 to 3, C or Fortran order, either byte order, dtypes u1 to u8, i1 to i8, f2 to f8 and
/// b1, held as convert_values.hpp says. Axes: 2-D is y,x; 3-D is y,x,c when the last axis is 3 or 4, else z,y,x; 4-D is
/// z,y,x,c; ReadOptions::axes overrides.

bool isNpy(std::span<const std::byte> head);

/// `axes` where a file's array may be read so; else, and where it is no NPY file, nothing: of pictures that go with
/// another, as a mask of one slice with a volume. Throws Error(unreadable).
std::string axesThatFit(const std::string& path, const std::string& axes);

/// Throws Error: unreadable (corrupt, truncated), unsupported (another dtype or number of axes), limit, argument
/// (axes that do not fit the array), cancelled.
Grid readNpy(InputFile& file, const ReadOptions& options);
/// The same from memory; `where` begins the messages.
Grid decodeNpy(std::span<const std::byte> file, const ReadOptions& options, const std::string& where);

/// Writes piece by piece into `sink`. A volume of width 3 or 4 gets four axes, so that it is not taken for colour.
void encodeNpy(const Grid& grid, const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace warplens::io
