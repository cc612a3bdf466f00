// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/codecs/tiff_stream.hpp"
#include "io/grid.hpp"

#include <cstdint>

namespace warplens::io::codecs {

/// What pages have in common when they are slices of one volume.
struct TiffPageKind {
    std::uint32_t width, height;
    std::uint16_t bits, samples, format, photometric, orientation, compression;
    bool reduced;  ///< a smaller copy of another page

    bool operator==(const TiffPageKind&) const = default;
};

/// Of the page that libtiff is at.
TiffPageKind kindOfTiffPage(TIFF* tiff);

/// The picture of the page that libtiff is at; source.frame is not looked at. Throws Error.
Grid readTiffPage(TIFF* tiff, TiffStream& stream, const Source& source);

}  // namespace warplens::io::codecs
