// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace warplens::io::codecs {

/// The orientation, 1 to 8, in a JPEG's APP1 segment ("Exif", two zeros, then a small TIFF); 1 when there is none or it
/// makes no sense. Never fails: a picture with a damaged EXIF block is still a picture.
int exifOrientation(std::span<const std::byte> segment);

/// The same of the small TIFF alone, as a PNG's eXIf chunk holds it.
int tiffOrientation(std::span<const std::byte> tiff);

/// The small TIFF saying that the picture lies upright, as it does once it was turned.
std::vector<std::byte> uprightTiff(std::span<const std::byte> tiff);

/// The resolution in dpi, across and down, that the small TIFF says; none where it says none.
std::optional<std::array<double, 2>> tiffResolution(std::span<const std::byte> tiff);

/// The small TIFF saying this resolution and all else that it says; an empty one becomes one of the resolution alone.
/// What is no TIFF, and numbers that it cannot hold, change nothing.
std::vector<std::byte> withResolution(std::span<const std::byte> tiff, const std::array<double, 2>& dpi);

}  // namespace warplens::io::codecs
