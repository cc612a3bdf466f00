// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/common.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/tiff_directory.hpp"
#include "io/codecs/tiff_stream.hpp"
#include "io/in_space.hpp"
#include "io/source_type.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace warplens::io::codecs {
namespace {

// Large enough to compress well, small enough for others to read part of a picture.
constexpr std::int64_t kStripBytes = 1 << 18;
// Beyond this the offsets of a classic TIFF might not do.
constexpr std::size_t kClassicBytes = std::size_t{3} << 30;

/// Whether the size of a voxel stands in the description, as ImageJ writes it: TIFF has no tag for the third length,
/// and what its resolution says is how large a picture is printed.
bool describedSize(const Grid& grid) {
    return hasGeometry(grid.geometry) && (grid.shape().depth > 1 || !grid.metadata.dpi);
}

std::string descriptionOf(const Grid& grid) {
    const auto depth = std::to_string(grid.shape().depth);
    const auto& g = grid.geometry;
    std::string text = "ImageJ=1.54f\nimages=" + depth + "\nslices=" + depth + "\nunit=mm\n";
    const bool volume = grid.shape().depth > 1;
    for (std::size_t axis = 0; axis < (volume ? 3 : 2); ++axis) {
        if (g.origin[axis] != 0)
            text += "xyz"[axis] + ("origin=" + formatNumber(-g.origin[axis] / g.spacing[axis])) + '\n';
    }
    return text + (volume ? "spacing=" + formatNumber(g.spacing[2]) + '\n' : "") + "loop=false\n";
}

void setTags(TIFF* tiff, const Grid& grid, bool narrow, bool compress, std::uint32_t rowsPerStrip) {
    const auto& s = grid.shape();
    const auto& metadata = grid.metadata;
    const bool floats = grid.type() == PixelType::f32 && !narrow;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(s.width));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(s.height));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, s.channels);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, narrow ? 16 : static_cast<int>(8 * sizeOf(grid.type())));
    const bool isSigned = narrow || grid.type() == PixelType::i32;
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                 isSigned ? SAMPLEFORMAT_INT
                 : floats ? SAMPLEFORMAT_IEEEFP
                          : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, s.channels == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compress ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE);
    if (compress) TIFFSetField(tiff, TIFFTAG_PREDICTOR, floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    if (s.depth > 1) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_PAGE);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rowsPerStrip);
    if (s.channels == 4) {
        const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
    if (!metadata.iccProfile.empty()) {
        TIFFSetField(tiff, TIFFTAG_ICCPROFILE, static_cast<std::uint32_t>(metadata.iccProfile.size()),
                     metadata.iccProfile.data());
    }
    if (describedSize(grid)) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE);  // it is that of the description
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 1 / grid.geometry.spacing[0]);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 1 / grid.geometry.spacing[1]);
    } else if (metadata.dpi) {
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, (*metadata.dpi)[0]);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, (*metadata.dpi)[1]);
    }
}

/// The slice at z as the page that libtiff is at; false when libtiff refuses.
bool writePage(TIFF* tiff, const Grid& grid, std::int64_t z, bool narrow, bool compress) {
    const auto& s = grid.shape();
    const auto rowValues = s.width * s.channels;
    const auto valueBytes = narrow ? sizeof(std::int16_t) : sizeOf(grid.type());
    const auto rowBytes = rowValues * static_cast<std::int64_t>(valueBytes);
    const auto rowsPerStrip = std::clamp<std::int64_t>(kStripBytes / rowBytes, 1, s.height);
    setTags(tiff, grid, narrow, compress, static_cast<std::uint32_t>(rowsPerStrip));
    if (z == 0 && describedSize(grid)) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, descriptionOf(grid).c_str());
    // A copy, for the predictor works in place.
    std::vector<std::byte> strip(static_cast<std::size_t>(rowBytes * rowsPerStrip));
    for (std::int64_t y = 0; y < s.height; y += rowsPerStrip) {
        const auto rows = std::min(rowsPerStrip, s.height - y);
        const auto bytes = rows * rowBytes;
        const auto first = z * s.height + y;
        if (narrow) {
            narrowToI16(grid.as<float>() + first * rowValues, reinterpret_cast<std::int16_t*>(strip.data()),
                        static_cast<std::size_t>(rows * rowValues));
        } else {
            std::memcpy(strip.data(), grid.data() + first * rowBytes, static_cast<std::size_t>(bytes));
        }
        if (TIFFWriteEncodedStrip(tiff, static_cast<std::uint32_t>(y / rowsPerStrip), strip.data(), bytes) != bytes) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::vector<std::byte> encodeTiff(const Grid& grid, const std::string& where, const EncodeOptions& options) {
    const bool narrow = savesAsI16(grid);
    const auto depth = grid.shape().depth;
    if (depth > kMostTiffPages) {
        throw Error(Error::Kind::unwritable,
                    where + ": a TIFF holds " + std::to_string(kMostTiffPages) + " pages at most: write .nrrd instead");
    }
    TiffStream stream;
    auto tiff = openTiff(stream, grid.bytes() > kClassicBytes ? "w8" : "w", std::numeric_limits<std::int64_t>::max());
    bool fine = static_cast<bool>(tiff);
    for (std::int64_t z = 0; fine && z < depth; ++z) {
        fine = writePage(tiff.get(), grid, z, narrow, options.compress);
        if (fine && depth > 1) fine = TIFFWriteDirectory(tiff.get()) == 1;
    }
    fine = fine && TIFFFlush(tiff.get()) == 1;
    tiff.reset();
    if (!fine || !stream.error.empty()) {
        throw Error(Error::Kind::unwritable, where + ": libtiff gave up (" + stream.error + "): write .npy instead");
    }
    return std::move(stream.output);
}

}  // namespace warplens::io::codecs
