// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tiffio.h>
#include <vector>

namespace warplens::io::codecs {

/// A TIFF in memory as libtiff wants to see it: read() and write() and seek, never a mapping. It also catches libtiff's
/// messages, so nothing is printed.
struct TiffStream {
    std::span<const std::byte> input;  ///< when reading
    std::vector<std::byte> output;     ///< when writing
    std::uint64_t position = 0;
    std::string error;  ///< the first error, empty when all went well
    bool writing = false;
};

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using TiffHandle = std::unique_ptr<TIFF, CloseTiff>;

/// Null when libtiff refuses; the stream's error says why. mode: "rm" to read, "w" or "w8" to write. No single
/// allocation of libtiff's exceeds `largest` bytes. The stream must outlive the handle.
TiffHandle openTiff(TiffStream& stream, const char* mode, std::int64_t largest);

}  // namespace warplens::io::codecs
