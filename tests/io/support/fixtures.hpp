// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <cstdint>
#include <functional>
#include <string>

/// Files made by the formats' own libraries, of kinds that Warplens reads but does not write.
namespace warplens::test {

struct PngOptions {
    std::uint32_t width = 0, height = 0;
    int bits = 8;
    int colour = 0;  ///< PNG_COLOR_TYPE_...
    bool interlaced = false;
    std::vector<std::uint8_t> palette;       ///< r, g, b, r, g, b ...
    std::vector<std::uint8_t> transparency;  ///< alpha of palette entries
    int transparentGrey = -1;
};
/// rows: packed as PNG packs them, most significant byte first.
Bytes makePng(const PngOptions& options, const Bytes& rows);

/// Baseline JPEG of an interleaved 8-bit picture with 1, 3 or 4 (CMYK) channels; exif: an APP1 segment's content.
Bytes makeJpeg(int width, int height, int channels, const Bytes& values, const Bytes& exif = {},
               bool progressive = false, const Bytes& icc = {});

/// An APP1 segment with one orientation entry, in either byte order.
Bytes exifSegment(int orientation, bool bigEndian);

/// An animation whose frames are these WebP files without profile and EXIF, each on the whole canvas, without blending.
Bytes makeWebpAnimation(int width, int height, const std::vector<Bytes>& frames);

/// A TIFF into whose handle `fill` writes tags and pixels (a TIFF*, as void so that no header is needed here).
Bytes makeTiff(const char* mode, const std::function<void(void*)>& fill);

struct ExrOptions {
    std::vector<std::string> channels;
    bool half = false;
    bool tiled = false;
    int offset = 0;       ///< data window's corner
    int compression = 3;  ///< Imf::ZIP_COMPRESSION
    int sampling = 1;
};
/// values: interleaved floats in the order of the channels' names.
Bytes makeExr(int width, int height, const ExrOptions& options, const std::vector<float>& values);

/// One small file of each kind, for cutting and damaging: name and content.
std::vector<std::pair<std::string, Bytes>> smallFiles();

}  // namespace warplens::test
