// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tiffio.h>

namespace warplens::io::codecs {

/// The tags that say how the pixels of a page are stored.
struct TiffLayout {
    std::uint32_t width = 0, height = 0, blockWidth = 0, blockHeight = 0;
    std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
    std::uint16_t planar = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE, orientation = 1;
    bool alpha = false;  ///< the sample after the colours is alpha
    bool premultiplied = false;
    bool tiled = false;

    bool separate() const { return planar == PLANARCONFIG_SEPARATE && samples > 1; }
    bool palette() const { return photometric == PHOTOMETRIC_PALETTE; }
    bool grey() const { return photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_MINISWHITE; }
    /// Bits that fill no whole number of bytes; libtiff hands them out as they are in the file.
    bool packed() const { return bits % 8 != 0; }
    /// Values of so few bits are spread over 0..255, unless they are indices.
    bool spread() const { return (bits == 1 || bits == 2 || bits == 4) && !palette(); }
    /// Bytes of one row of one block as libtiff hands it out.
    std::int64_t blockRowBytes() const {
        return (std::int64_t{blockWidth} * bits * (separate() ? 1 : samples) + 7) / 8;
    }
    /// The type of convert_values.hpp in which a value fits, "u16" for 12 bits; empty where there is none.
    std::string storedType() const;
    /// Samples of a pixel that are its picture: 1, 3 or 4 of a grid's channels (grey with alpha: 2); else each is a
    /// picture of its own.
    bool samplesTogether() const;
};

template <class T>
T tiffTag(TIFF* tiff, std::uint32_t id, T otherwise) {
    T value{};
    return TIFFGetField(tiff, id, &value) == 1 ? value : otherwise;
}

/// Of the page that libtiff is at.
TiffLayout tiffLayout(TIFF* tiff);

/// Everything that says "not this kind of TIFF", before any pixel is touched. Throws Error(unsupported) in the terms of
/// TIFF, or Error(unreadable).
void checkTiffSupported(const TiffLayout& layout, const std::string& where);

}  // namespace warplens::io::codecs
