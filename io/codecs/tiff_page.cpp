// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_page.hpp"

#include "io/codecs/common.hpp"
#include "io/source_type.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace warplens::io::codecs {
namespace {

/// The tags that say how the pixels are stored.
struct Layout {
    std::uint32_t width = 0, height = 0, blockWidth = 0, blockHeight = 0;
    std::uint16_t bits = 1, samples = 1, format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK;
    std::uint16_t planar = PLANARCONFIG_CONTIG, compression = COMPRESSION_NONE, orientation = 1;
    std::uint16_t extras = 0;
    bool premultiplied = false;
    bool tiled = false;

    bool separate() const { return planar == PLANARCONFIG_SEPARATE && samples > 1; }
    bool isSigned() const { return format == SAMPLEFORMAT_INT; }
    /// Signed 16-bit integers, held as f32.
    bool narrow() const { return isSigned() && bits == 16; }
    bool palette() const { return photometric == PHOTOMETRIC_PALETTE; }
    /// Bytes of one row of one block as libtiff hands it out, at most 2^20 * 4 * 4.
    std::int64_t blockRowBytes() const {
        return (std::int64_t{blockWidth} * bits * (separate() ? 1 : samples) + 7) / 8;
    }
};

template <class T>
T tag(TIFF* tiff, std::uint32_t id, T otherwise) {
    T value{};
    return TIFFGetField(tiff, id, &value) == 1 ? value : otherwise;
}

Layout layoutOf(TIFF* tiff) {
    Layout l;
    l.width = tag<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
    l.height = tag<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
    l.bits = tag<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    l.samples = tag<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    l.format = tag<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    if (l.format == SAMPLEFORMAT_VOID) l.format = SAMPLEFORMAT_UINT;
    l.photometric = tag<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    l.planar = tag<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    l.compression = tag<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    l.orientation = tag<std::uint16_t>(tiff, TIFFTAG_ORIENTATION, 1);
    std::uint16_t* extra = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &l.extras, &extra) != 1) l.extras = 0;
    l.premultiplied = l.extras == 1 && extra[0] == EXTRASAMPLE_ASSOCALPHA;
    l.tiled = TIFFIsTiled(tiff) != 0;
    if (l.tiled) {
        l.blockWidth = tag<std::uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0);
        l.blockHeight = tag<std::uint32_t>(tiff, TIFFTAG_TILELENGTH, 0);
    } else {
        l.blockWidth = l.width;
        l.blockHeight = std::min(tag<std::uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, l.height), l.height);
    }
    return l;
}

PixelType typeOf(const Layout& l) {
    if (l.bits <= 8) return PixelType::u8;
    if (l.format == SAMPLEFORMAT_IEEEFP || l.narrow()) return PixelType::f32;
    return l.bits == 16 ? PixelType::u16 : l.isSigned() ? PixelType::i32 : PixelType::u32;
}

/// Everything that says "not this kind of TIFF", before any pixel is touched.
void checkSupported(const Layout& l, const std::string& where) {
    constexpr std::array<std::uint16_t, 10> kCompressions{
        COMPRESSION_NONE, COMPRESSION_CCITTRLE,      COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_LZW,
        COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE,   COMPRESSION_PACKBITS,  COMPRESSION_LZMA};
    const bool known = std::find(kCompressions.begin(), kCompressions.end(), l.compression) != kCompressions.end() ||
                       l.compression == COMPRESSION_ZSTD;
    if (!known || TIFFIsCODECConfigured(l.compression) == 0) {
        unsupported(where, "TIFF compression " + std::to_string(l.compression), "save it with deflate, LZW or none");
    }
    const bool grey = l.photometric == PHOTOMETRIC_MINISBLACK || l.photometric == PHOTOMETRIC_MINISWHITE;
    const bool rgb =
        l.photometric == PHOTOMETRIC_RGB || (l.photometric == PHOTOMETRIC_YCBCR && l.compression == COMPRESSION_JPEG);
    if (!grey && !rgb && !l.palette()) unsupported(where, "a TIFF that is neither grey nor RGB", "convert it to RGB");
    const bool count = grey  ? l.samples == 1 || (l.samples == 2 && l.extras == 1)
                       : rgb ? l.samples == 3 || (l.samples == 4 && l.extras == 1)
                             : l.samples == 1;
    if (!count) {
        unsupported(where, "a TIFF with " + std::to_string(l.samples) + " samples per pixel",
                    "keep grey or RGB, with or without alpha");
    }
    const bool whole = l.format == SAMPLEFORMAT_UINT &&
                       (l.bits == 8 || (l.bits == 16 && !l.palette()) || (l.bits == 1 && grey && l.samples == 1));
    const bool other = !l.palette() && (l.narrow() || (l.bits == 32 && l.format <= SAMPLEFORMAT_IEEEFP));
    if (!whole && !other) {
        unsupported(where, "a TIFF of " + std::to_string(l.bits) + "-bit values of kind " + std::to_string(l.format),
                    "save it as 8, 16 or 32-bit integers or 32-bit floats");
    }
    if (l.planar != PLANARCONFIG_CONTIG && l.planar != PLANARCONFIG_SEPARATE)
        damaged(where, "TIFF", "planar configuration");
}

/// Copies rows of a block, as they come, to their place; converts nothing but bits and signed integers.
class Placer {
public:
    Placer(const Layout& layout, Grid& grid) : m_l(layout), m_grid(grid) {}

    void place(const std::byte* block, std::uint32_t x0, std::uint32_t y0, std::uint32_t rows, int sample) {
        const auto columns = std::min(m_l.blockWidth, m_l.width - x0);
        for (std::uint32_t row = 0; row < rows; ++row) {
            const auto* from = block + static_cast<std::int64_t>(row) * m_l.blockRowBytes();
            const auto to = m_grid.index(x0, y0 + row, 0, sample);
            if (m_l.bits == 1) {
                expandBits(from, m_grid.as<std::uint8_t>() + to, columns);
            } else if (m_l.narrow()) {
                copy<std::int16_t>(from, m_grid.as<float>() + to, columns);
            } else if (m_l.bits == 8) {
                copy<std::uint8_t>(from, m_grid.as<std::uint8_t>() + to, columns);
            } else if (m_l.bits == 16) {
                copy<std::uint16_t>(from, m_grid.as<std::uint16_t>() + to, columns);
            } else {
                copy<float>(from, m_grid.as<float>() + to, columns);
            }
        }
    }

private:
    static void expandBits(const std::byte* from, std::uint8_t* to, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            to[i] = (std::to_integer<unsigned>(from[i / 8]) >> (7 - i % 8) & 1U) != 0 ? 255 : 0;
        }
    }
    template <class Stored, class T>
    void copy(const std::byte* from, T* to, std::uint32_t columns) const {
        const auto together = m_l.separate() ? 1U : std::uint32_t{m_l.samples};
        const auto channels = static_cast<std::size_t>(m_grid.shape().channels);
        for (std::uint32_t i = 0; i < columns; ++i, to += channels) {
            for (std::uint32_t s = 0; s < together; ++s, from += sizeof(Stored)) {
                Stored value;
                std::memcpy(&value, from, sizeof(value));
                to[s] = static_cast<T>(value);
            }
        }
    }

    const Layout& m_l;
    Grid& m_grid;
};

void readBlocks(TIFF* tiff, const TiffStream& stream, const Layout& l, Grid& grid, const std::string& where) {
    std::vector<std::byte> block(static_cast<std::size_t>(l.blockRowBytes() * l.blockHeight));
    Placer placer(l, grid);
    const int passes = l.separate() ? l.samples : 1;
    for (int sample = 0; sample < passes; ++sample) {
        // Of a separate grey and alpha, alpha is the fourth channel of ours.
        const int channel = l.samples == 2 && sample == 1 ? 3 : sample;
        for (std::uint32_t y = 0; y < l.height; y += l.blockHeight) {
            const auto rows = std::min(l.blockHeight, l.height - y);
            for (std::uint32_t x = 0; x < l.width; x += l.blockWidth) {
                const auto wanted = l.blockRowBytes() * (l.tiled ? l.blockHeight : rows);
                const auto plane = static_cast<std::uint16_t>(sample);
                const auto got =
                    l.tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), block.data(), wanted)
                            : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), block.data(), wanted);
                if (got != wanted || !stream.error.empty()) {
                    damaged(where, "TIFF", stream.error.empty() ? "the file ends too early" : stream.error);
                }
                placer.place(block.data(), x, y, rows, channel);
            }
        }
    }
}

/// White is zero: turned round for integers from 0 on, whose range is known.
void invert(const Layout& l, Grid& grid) {
    withType(grid.type(), [&]<class T>(T) {
        if constexpr (std::is_unsigned_v<T>) {
            auto* values = grid.as<T>();
            for (std::int64_t i = 0; i < grid.shape().values(); ++i) {
                if (l.samples == 2 && i % 4 == 3) continue;  // alpha
                values[i] = static_cast<T>(std::numeric_limits<T>::max() - values[i]);
            }
        } else {
            grid.metadata.notes.emplace_back("white is the lowest value, as stored");
        }
    });
}

template <class T>
void spreadGrey(Grid& grid, bool separate) {
    auto* values = grid.as<T>();
    for (std::int64_t i = 0; i < grid.shape().pixels(); ++i, values += 4) {
        if (!separate) values[3] = values[1];
        values[1] = values[2] = values[0];
    }
}

Grid applyPalette(TIFF* tiff, Grid indices, const std::string& where) {
    std::array<std::uint16_t*, 3> tables{};
    if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &tables[0], &tables[1], &tables[2]) != 1) {
        damaged(where, "TIFF", "the palette is missing");
    }
    auto shape = indices.shape();
    shape.channels = 3;
    Grid grid(shape, PixelType::u8);
    auto* out = grid.as<std::uint8_t>();
    for (std::size_t i = 0; i < indices.bytes(); ++i) {
        for (const auto* table : tables) *out++ = static_cast<std::uint8_t>(table[indices.as<std::uint8_t>()[i]] >> 8);
    }
    grid.metadata = std::move(indices.metadata);
    grid.metadata.notes.emplace_back("palette was read as RGB");
    return grid;
}

void readMetadata(TIFF* tiff, const Layout& l, const Limits& limits, Metadata& metadata) {
    std::uint32_t length = 0;
    void* profile = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &length, &profile) == 1 && length <= limits.metadataBytes) {
        const auto* bytes = static_cast<const std::byte*>(profile);
        metadata.iccProfile.assign(bytes, bytes + length);
    }
    const auto unit = tag<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    const double x = tag<float>(tiff, TIFFTAG_XRESOLUTION, 0);
    const double y = tag<float>(tiff, TIFFTAG_YRESOLUTION, 0);
    const double inches = unit == RESUNIT_CENTIMETER ? 2.54 : unit == RESUNIT_INCH ? 1 : 0;
    if (std::isfinite(x) && std::isfinite(y) && x > 0 && y > 0 && inches > 0) metadata.dpi = {x * inches, y * inches};
    if (l.bits == 1) {
        metadata.sourceType = "u1";
        metadata.notes.emplace_back("1-bit grey was spread over 0..255");
    }
    if (l.narrow()) metadata.sourceType = "i16";
    if (l.samples == 2) metadata.notes.emplace_back(kGreyAlphaNote);
    if (l.premultiplied) metadata.notes.emplace_back("colours are multiplied by alpha, as stored");
}

}  // namespace

Grid readTiffPage(TIFF* tiff, TiffStream& stream, const Source& source) {
    const auto& limits = source.limits;
    const auto& where = source.where;
    const auto l = layoutOf(tiff);
    checkSupported(l, where);
    const Shape shape{l.width, l.height, 1, l.samples == 2 ? 4 : l.samples};
    limits.check(shape, typeOf(l), where);
    if (l.blockWidth < 1 || l.blockHeight < 1 || l.blockWidth > limits.side || l.blockHeight > limits.side ||
        l.blockRowBytes() * l.blockHeight > std::max<std::int64_t>(limits.bytes, 1 << 20)) {
        damaged(where, "TIFF", "strips or tiles of an impossible size");
    }
    if (l.photometric == PHOTOMETRIC_YCBCR) TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    const auto libraryBytes = l.tiled ? TIFFTileSize64(tiff) : TIFFVStripSize64(tiff, l.blockHeight);
    if (libraryBytes != static_cast<std::uint64_t>(l.blockRowBytes() * l.blockHeight)) {
        damaged(where, "TIFF", "strips or tiles of an unexpected size");
    }
    // What was said while the tags were read concerned tags that do not matter here.
    stream.error.clear();

    Grid grid(shape, typeOf(l));
    readMetadata(tiff, l, limits, grid.metadata);
    readBlocks(tiff, stream, l, grid, where);
    if (l.samples == 2) {
        withType(grid.type(), [&]<class T>(T) { spreadGrey<T>(grid, l.separate()); });
    }
    if (l.photometric == PHOTOMETRIC_MINISWHITE) invert(l, grid);
    if (l.palette()) grid = applyPalette(tiff, std::move(grid), where);
    return upright(std::move(grid), l.orientation);
}

TiffPageKind kindOfTiffPage(TIFF* tiff) {
    const auto l = layoutOf(tiff);
    const bool reduced = (tag<std::uint32_t>(tiff, TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0;
    return {l.width, l.height, l.bits, l.samples, l.format, l.photometric, l.orientation, l.compression, reduced};
}

}  // namespace warplens::io::codecs
