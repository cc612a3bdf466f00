// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace warplens::io::codecs {

/// libtiff counts directories in 16 bits.
constexpr int kMostTiffPages = 65535;

/// Walks the chain of directories of a TIFF or BigTIFF and returns the number of pages. Throws Error(unreadable) for
/// what would make libtiff use memory out of proportion: directories with thousands of entries, entries larger than the
/// file, chains that loop.
int countTiffPages(std::span<const std::byte> file, const std::string& where);

}  // namespace warplens::io::codecs
