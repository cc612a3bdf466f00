// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/error.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

/// What several formats need.
namespace warplens::io::codecs {

/// Why memory ran out and what to do: the limit of this process, if it has one, or what the machine has.
std::string outOfMemory();
/// Throws Error(unreadable): "WHERE: damaged TITLE (DETAIL): it is truncated or corrupt, get another copy"; or
/// Error(limit) when the detail is a library's complaint about too little memory.
[[noreturn]] void damaged(const std::string& where, const char* title, const std::string& detail);
/// Throws Error(unsupported): "WHERE: WHAT: REMEDY".
[[noreturn]] void unsupported(const std::string& where, const std::string& what, const std::string& remedy);

bool startsWith(std::span<const std::byte> bytes, std::span<const unsigned char> signature);

/// Unsigned integers at a byte offset that the caller has checked.
std::uint32_t littleEndian(std::span<const std::byte> bytes, std::size_t at, std::size_t size);
std::uint32_t bigEndian(std::span<const std::byte> bytes, std::size_t at, std::size_t size);

/// Grids hold 1, 3 or 4 channels, so grey with alpha becomes RGBA and says so.
extern const char* const kGreyAlphaNote;

/// Says how large the pixels of a picture are: by its resolution, which is kept as its dpi, or by what lies in it, in
/// mm and without a dpi; both as its spacing. Numbers that are not finite and above 0 change nothing.
void setResolution(Grid& grid, double dpiX, double dpiY);
void setPixelSize(Grid& grid, double mmX, double mmY);

/// For formats that know a resolution alone: the dpi, else that of the spacing; none where the file said neither.
std::optional<std::array<double, 2>> resolutionOf(const Grid& grid);

/// The picture turned as an EXIF or TIFF orientation of 1 to 8 asks; adds a note. Any other number changes nothing.
Grid upright(Grid grid, int orientation);

}  // namespace warplens::io::codecs
