// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace warplens::io::codecs {

/// libtiff counts directories in 16 bits.
constexpr int kMostTiffPages = 65535;

/// Walks the chain of directories of a TIFF or BigTIFF and returns the number of pages. Throws Error(unreadable) for
/// what would make libtiff use memory out of proportion: directories with thousands of entries, entries larger than the
/// file, chains that loop.
int countTiffPages(std::span<const std::byte> file, const std::string& where);

/// The first number of the tag of type RATIONAL in the directory at a place of the file, as exactly as the file says it
/// (libtiff gives it in single precision); none when there is no such tag or it lies outside the file.
std::optional<double> tiffRational(std::span<const std::byte> file, std::uint64_t directory, std::uint16_t tag);

}  // namespace warplens::io::codecs
