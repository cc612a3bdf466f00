// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_layout.hpp"

#include "io/codecs/common.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warplens::io::codecs {
namespace {

constexpr std::array<std::uint16_t, 18> kCompressions{
    COMPRESSION_NONE,      COMPRESSION_CCITTRLE, COMPRESSION_CCITTRLEW, COMPRESSION_CCITTFAX3,
    COMPRESSION_CCITTFAX4, COMPRESSION_LZW,      COMPRESSION_JPEG,      COMPRESSION_ADOBE_DEFLATE,
    COMPRESSION_DEFLATE,   COMPRESSION_PACKBITS, COMPRESSION_LZMA,      COMPRESSION_ZSTD,
    COMPRESSION_WEBP,      COMPRESSION_LERC,     COMPRESSION_PIXARLOG,  COMPRESSION_THUNDERSCAN,
    COMPRESSION_NEXT,      COMPRESSION_JBIG};

/// What users know a compression by.
std::string nameOfCompression(std::uint16_t compression) {
    constexpr std::array<std::pair<std::uint16_t, const char*>, 14> kNames{{{COMPRESSION_OJPEG, "old-style JPEG"},
                                                                            {COMPRESSION_JP2000, "JPEG 2000"},
                                                                            {33003, "JPEG 2000"},
                                                                            {33004, "JPEG 2000"},
                                                                            {33005, "JPEG 2000"},
                                                                            {COMPRESSION_SGILOG, "SGI LogLuv"},
                                                                            {COMPRESSION_SGILOG24, "SGI LogLuv"},
                                                                            {COMPRESSION_LERC, "LERC"},
                                                                            {COMPRESSION_WEBP, "WebP"},
                                                                            {COMPRESSION_ZSTD, "Zstandard"},
                                                                            {COMPRESSION_LZMA, "LZMA"},
                                                                            {COMPRESSION_JBIG, "JBIG"},
                                                                            {50002, "JPEG XL"},
                                                                            {34892, "lossy JPEG of DNG"}}};
    for (const auto& [number, name] : kNames) {
        if (number == compression) return name + (" (compression " + std::to_string(compression) + ")");
    }
    return "compression " + std::to_string(compression);
}

/// What a TIFF that is neither grey nor RGB is.
std::string nameOfPhotometric(std::uint16_t photometric) {
    switch (photometric) {
        case PHOTOMETRIC_MASK: return "a transparency mask in TIFF";
        case PHOTOMETRIC_SEPARATED: return "a CMYK TIFF";
        case PHOTOMETRIC_YCBCR: return "a YCbCr TIFF without JPEG compression";
        case PHOTOMETRIC_CIELAB:
        case PHOTOMETRIC_ICCLAB:
        case PHOTOMETRIC_ITULAB: return "a TIFF in L*a*b* colours";
        case PHOTOMETRIC_LOGL:
        case PHOTOMETRIC_LOGLUV: return "a TIFF of logarithmic luminance (LogLuv)";
        case PHOTOMETRIC_CFA: return "the raw data of a camera (colour filter array)";
        case 34892: return "the raw data of a camera (linear raw)";
        default: return "a TIFF whose colours are of kind " + std::to_string(photometric);
    }
}

std::string nameOfFormat(const TiffLayout& l) {
    const auto bits = std::to_string(l.bits) + "-bit ";
    switch (l.format) {
        case SAMPLEFORMAT_UINT: return bits + "unsigned integers";
        case SAMPLEFORMAT_INT: return bits + "signed integers";
        case SAMPLEFORMAT_IEEEFP: return bits + "floating-point values";
        case SAMPLEFORMAT_COMPLEXINT: return bits + "complex integers";
        case SAMPLEFORMAT_COMPLEXIEEEFP: return bits + "complex values";
        default: return bits + "values of a sample format that TIFF does not know";
    }
}

bool isComplex(const TiffLayout& l) {
    return l.format == SAMPLEFORMAT_COMPLEXINT || l.format == SAMPLEFORMAT_COMPLEXIEEEFP;
}

}  // namespace

std::string TiffLayout::storedType() const {
    if (format == SAMPLEFORMAT_IEEEFP) return bits == 16 ? "f16" : bits == 32 ? "f32" : bits == 64 ? "f64" : "";
    if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_INT) return {};
    if (bits == 0 || (bits > 16 && bits != 24 && bits != 32 && bits != 64)) return {};
    const bool isSigned = format == SAMPLEFORMAT_INT;
    if (isSigned && bits < 8) return {};
    return (isSigned ? "i" : "u") + std::to_string(bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64);
}

bool TiffLayout::samplesTogether() const {
    if (!grey()) return true;
    return samples == 1 || samples == 3 || (samples == 2 && alpha);
}

TiffLayout tiffLayout(TIFF* tiff) {
    TiffLayout l;
    l.width = tiffTag<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
    l.height = tiffTag<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
    l.bits = tiffTag<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    l.samples = tiffTag<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    l.format = tiffTag<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (l.format == SAMPLEFORMAT_VOID) l.format = SAMPLEFORMAT_UINT;
    l.photometric = tiffTag<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    l.planar = tiffTag<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    l.compression = tiffTag<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    l.orientation = tiffTag<std::uint16_t>(tiff, TIFFTAG_ORIENTATION, 1);
    std::uint16_t extras = 0;
    std::uint16_t* extra = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &extras, &extra) != 1) extras = 0;
    // Of RGB with a fourth sample that is not described most programs mean alpha; of grey they do not.
    l.premultiplied = extras > 0 && extra[0] == EXTRASAMPLE_ASSOCALPHA;
    l.alpha = extras > 0 && (l.premultiplied || extra[0] == EXTRASAMPLE_UNASSALPHA || !l.grey());
    l.tiled = TIFFIsTiled(tiff) != 0;
    if (l.tiled) {
        l.blockWidth = tiffTag<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
        l.blockHeight = tiffTag<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
    } else {
        l.blockWidth = l.width;
        l.blockHeight = std::min(tiffTag<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, l.height), l.height);
    }
    return l;
}

void checkTiffSupported(const TiffLayout& l, const std::string& where) {
    const bool known = std::find(kCompressions.begin(), kCompressions.end(), l.compression) != kCompressions.end();
    if (!known || TIFFIsCODECConfigured(l.compression) == 0) {
        unsupported(where, "a TIFF with " + nameOfCompression(l.compression),
                    "save it with deflate, LZW or no compression");
    }
    const bool rgb =
        l.photometric == PHOTOMETRIC_RGB || (l.photometric == PHOTOMETRIC_YCBCR && l.compression == COMPRESSION_JPEG);
    if (!l.grey() && !rgb && !l.palette()) unsupported(where, nameOfPhotometric(l.photometric), "convert it to RGB");
    // Multispectral scanners have some hundred.
    constexpr int kMostSamples = 1024;
    if (l.samples > kMostSamples) {
        unsupported(where, "a TIFF with " + std::to_string(l.samples) + " samples per pixel",
                    "keep " + std::to_string(kMostSamples) + " at most");
    }
    if ((rgb && l.samples < 3) || (l.palette() && l.samples != 1) || l.samples == 0) {
        unsupported(where,
                    std::string(l.palette() ? "a palette TIFF" : "an RGB TIFF") + " with " + std::to_string(l.samples) +
                        (l.samples == 1 ? " sample" : " samples") + " per pixel",
                    "keep grey or RGB, with or without alpha");
    }
    if (l.storedType().empty() || (l.palette() && (l.format != SAMPLEFORMAT_UINT || l.bits > 16))) {
        unsupported(where, std::string("a ") + (l.palette() ? "palette " : "") + "TIFF of " + nameOfFormat(l),
                    isComplex(l) ? "save real part, imaginary part or magnitude"
                                 : "save it as integers of 8 to 64 bits or as floats of 16, 32 or 64 bits");
    }
    if (l.planar != PLANARCONFIG_CONTIG && l.planar != PLANARCONFIG_SEPARATE)
        damaged(where, "TIFF", "planar configuration");
}

}  // namespace warplens::io::codecs
