// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/codecs/source.hpp"
#include "io/codecs/tiff_stream.hpp"
#include "io/convert_values.hpp"
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

/// Which picture of a page.
struct TiffPick {
    int sample = 0;          ///< which sample of a pixel, from 0, where each is a picture of its own
    std::int64_t plane = 0;  ///< which of the planes that follow one another where the page's values begin, from 0
};

/// Pictures in the page that libtiff is at: 1, or one for each sample of a pixel.
int picturesOfTiffPage(TIFF* tiff);

/// Whether further planes can follow the values of the page: plain, in one piece.
bool planesFollowTiffPage(TIFF* tiff);

/// A picture of the page that libtiff is at; source.frame is not looked at. `conversion` is that of the page's stored
/// type, and counts what it changed. Throws Error.
Grid readTiffPage(TIFF* tiff, TiffStream& stream, const TiffPick& pick, Conversion& conversion, const Source& source);

/// The conversion for the page that libtiff is at. Throws Error(unsupported).
Conversion conversionOfTiffPage(TIFF* tiff, const std::string& where);

}  // namespace warplens::io::codecs
