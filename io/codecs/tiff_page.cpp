// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/tiff_page.hpp"

#include "io/codecs/common.hpp"
#include "io/codecs/tiff_directory.hpp"
#include "io/codecs/tiff_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace warplens::io::codecs {
namespace {

/// The channel of the grid that each sample of a pixel goes to; -1 for none.
std::vector<int> channelsOf(const TiffLayout& l, const TiffPick& pick) {
    std::vector<int> channels(l.samples, -1);
    if (!l.samplesTogether()) {
        channels[static_cast<std::size_t>(pick.sample)] = 0;
    } else if (l.samples == 2) {
        channels = {0, 3};
    } else {
        const int colours = l.palette() || l.samples == 1 ? 1 : l.samples > 3 && l.alpha ? 4 : 3;
        for (int i = 0; i < colours; ++i) channels[static_cast<std::size_t>(i)] = i;
    }
    return channels;
}

int channelCount(const TiffLayout& l, const std::vector<int>& channels) {
    return l.samplesTogether() && l.samples == 2 ? 4 : *std::max_element(channels.begin(), channels.end()) + 1;
}

/// Takes the stored values out of rows as libtiff hands them out, converts them, and puts them in their place.
class Placer {
public:
    Placer(const TiffLayout& layout, std::vector<int> channels, Conversion& conversion, Grid& grid)
        : m_l(layout),
          m_channels(std::move(channels)),
          m_size(static_cast<std::size_t>(bytesOfType(layout.storedType()))),
          m_conversion(conversion),
          m_grid(grid) {}

    /// `rows` of a block whose first value is at x0, y0; `plane`: its sample, where each has blocks of its own.
    void place(const std::byte* block, std::uint32_t x0, std::uint32_t y0, std::uint32_t rows, std::size_t plane) {
        const auto columns = std::min(m_l.blockWidth, m_l.width - x0);
        const std::size_t together = m_l.separate() ? 1 : m_l.samples;
        for (std::uint32_t row = 0; row < rows; ++row) {
            const auto* stored = storedValues(block + static_cast<std::int64_t>(row) * m_l.blockRowBytes(),
                                              static_cast<std::size_t>(columns) * together);
            for (std::size_t s = 0; s < together; ++s) {
                const int channel = m_channels[plane + s];
                if (channel < 0) continue;
                auto* to = m_grid.data() + m_grid.index(x0, y0 + row, 0, channel) * sizeOf(m_grid.type());
                m_conversion.run(stored + s * m_size, static_cast<std::int64_t>(together), to, m_grid.shape().channels,
                                 columns);
            }
        }
    }

private:
    /// Values as convert_values.hpp wants them: those of 1, 12 or 24 bits in the next larger type.
    const std::byte* storedValues(const std::byte* from, std::size_t count) {
        if (m_l.bits == 8 * m_size) return from;
        m_row.resize(count * m_size);
        const bool isSigned = m_l.format == SAMPLEFORMAT_INT;
        const std::uint64_t scale = m_l.spread() ? 255 / ((1U << m_l.bits) - 1) : 1;
        for (std::size_t i = 0; i < count; ++i) {
            auto value = m_l.packed() ? bitsAt(from, i * m_l.bits) : wholeBytes(from + i * m_l.bits / 8);
            if (isSigned && (value >> (m_l.bits - 1) & 1) != 0) value |= ~std::uint64_t{0} << m_l.bits;
            value *= scale;
            std::memcpy(&m_row[i * m_size], &value, m_size);
        }
        return m_row.data();
    }
    /// The highest bit comes first.
    std::uint64_t bitsAt(const std::byte* from, std::size_t at) const {
        std::uint64_t value = 0;
        for (std::size_t i = at; i < at + m_l.bits; ++i) {
            value = value << 1 | (std::to_integer<std::uint64_t>(from[i / 8]) >> (7 - i % 8) & 1);
        }
        return value;
    }
    /// In the host's order, which libtiff has brought them to.
    std::uint64_t wholeBytes(const std::byte* from) const {
        std::uint64_t value = 0;
        std::memcpy(&value, from, m_l.bits / 8U);
        return value;
    }

    const TiffLayout& m_l;
    std::vector<int> m_channels;
    std::size_t m_size;
    std::vector<std::byte> m_row;
    Conversion& m_conversion;
    Grid& m_grid;
};

void readBlocks(TIFF* tiff, const TiffStream& stream, const TiffLayout& l, Placer& placer, const std::string& where) {
    std::vector<std::byte> block(static_cast<std::size_t>(l.blockRowBytes() * l.blockHeight));
    const std::uint16_t passes = l.separate() ? l.samples : 1;
    for (std::uint16_t plane = 0; plane < passes; ++plane) {
        for (std::uint32_t y = 0; y < l.height; y += l.blockHeight) {
            const auto rows = std::min(l.blockHeight, l.height - y);
            for (std::uint32_t x = 0; x < l.width; x += l.blockWidth) {
                const auto wanted = l.blockRowBytes() * (l.tiled ? l.blockHeight : rows);
                const auto got =
                    l.tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), block.data(), wanted)
                            : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), block.data(), wanted);
                if (got != wanted || !stream.error.empty()) {
                    damaged(where, "TIFF", stream.error.empty() ? "the file ends too early" : stream.error);
                }
                placer.place(block.data(), x, y, rows, plane);
            }
        }
    }
}

/// Where the values of the page begin, and those of the planes after it.
std::uint64_t beginOfValues(TIFF* tiff) { return TIFFGetStrileOffset(tiff, 0); }

/// A plane that libtiff knows nothing of.
void readPlane(TIFF* tiff, const TiffLayout& l, std::int64_t plane, Placer& placer, const Source& source) {
    const auto bytes = l.blockRowBytes() * l.height;
    const auto begin = beginOfValues(tiff) + static_cast<std::uint64_t>(plane * bytes);
    if (begin > source.file.size() || source.file.size() - begin < static_cast<std::uint64_t>(bytes)) {
        damaged(source.where, "TIFF", "the file ends before plane " + std::to_string(plane + 1));
    }
    const auto stored = source.file.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(bytes));
    std::vector<std::byte> values(stored.begin(), stored.end());
    if (TIFFIsByteSwapped(tiff) != 0 && l.bits > 8) swapBytes(values, l.bits / 8U);
    placer.place(values.data(), 0, 0, l.height, 0);
}

template <class T>
void spreadGrey(Grid& grid) {
    auto* values = grid.as<T>();
    for (std::int64_t i = 0; i < grid.shape().pixels(); ++i, values += 4) values[1] = values[2] = values[0];
}

/// How an entry of a table of 16-bit colours becomes a value: the table's own when it uses 16 bits, else the 8 bits
/// that it holds in its lower byte, its upper byte or both.
struct PaletteScale {
    bool wide = false;
    int shift = 0;
};

PaletteScale scaleOf(const std::array<std::uint16_t*, 3>& tables, std::size_t entries) {
    bool low = true;
    bool high = true;
    for (const auto* table : tables) {
        for (std::size_t i = 0; i < entries; ++i) {
            const unsigned top = table[i] >> 8;
            const unsigned bottom = table[i] & 0xffU;
            low = low && top == 0;
            high = high && (bottom == 0 || bottom == top);
        }
    }
    return {!low && !high, low ? 0 : 8};
}

Grid applyPalette(TIFF* tiff, const TiffLayout& l, const Grid& indices, const std::string& where) {
    std::array<std::uint16_t*, 3> tables{};
    if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &tables[0], &tables[1], &tables[2]) != 1) {
        damaged(where, "TIFF", "the palette is missing");
    }
    auto shape = indices.shape();
    shape.channels = 3;
    const auto scale = scaleOf(tables, std::size_t{1} << l.bits);
    Grid grid(shape, scale.wide ? PixelType::u16 : PixelType::u8);
    withSampleType(indices.type(), [&]<class Index>(Index) {
        withSampleType(grid.type(), [&]<class T>(T) {
            auto* out = grid.as<T>();
            for (std::int64_t i = 0; i < shape.pixels(); ++i) {
                const auto index = static_cast<std::size_t>(indices.as<Index>()[i]);
                for (const auto* table : tables) {
                    *out++ = static_cast<T>(scale.wide ? table[index] : table[index] >> scale.shift);
                }
            }
        });
    });
    grid.geometry = indices.geometry;
    grid.metadata = indices.metadata;
    grid.metadata.notes.emplace_back("palette was read as RGB");
    return grid;
}

void readResolution(TIFF* tiff, const Source& source, Grid& grid) {
    const auto unit = tiffTag<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
    if (unit != RESUNIT_INCH && unit != RESUNIT_CENTIMETER) return;
    const auto directory = TIFFCurrentDirOffset(tiff);
    const auto x = tiffRational(source.file, directory, TIFFTAG_XRESOLUTION);
    const auto y = tiffRational(source.file, directory, TIFFTAG_YRESOLUTION);
    const double inches = unit == RESUNIT_CENTIMETER ? 2.54 : 1;
    if (x && y) setResolution(grid, *x * inches, *y * inches);
}

void readMetadata(TIFF* tiff, const TiffLayout& l, const Source& source, Grid& grid) {
    auto& metadata = grid.metadata;
    std::uint32_t length = 0;
    void* profile = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &length, &profile) == 1 && length <= source.limits.metadataBytes) {
        const auto* bytes = static_cast<const std::byte*>(profile);
        metadata.iccProfile.assign(bytes, bytes + length);
    }
    readResolution(tiff, source, grid);
    if (!l.palette() && l.bits != 8 * bytesOfType(l.storedType()))
        metadata.sourceType = (l.format == SAMPLEFORMAT_INT ? "i" : "u") + std::to_string(l.bits);
    if (l.spread()) metadata.notes.push_back(std::to_string(l.bits) + "-bit values were spread over 0..255");
    if (l.photometric == PHOTOMETRIC_MINISWHITE)
        metadata.notes.emplace_back("its lowest value is to be shown white; values are as stored");
    if (l.samples == 2 && l.samplesTogether()) metadata.notes.emplace_back(kGreyAlphaNote);
    if (l.premultiplied) metadata.notes.emplace_back("colours are multiplied by alpha, as stored");
    const int left = l.samplesTogether() ? l.samples - (l.samples > 3 && l.alpha ? 4 : 3) : 0;
    if (left > 0) metadata.notes.push_back(std::to_string(left) + " further samples of each pixel were left out");
}

}  // namespace

Conversion conversionOfTiffPage(TIFF* tiff, const std::string& where) {
    const auto l = tiffLayout(tiff);
    checkTiffSupported(l, where);
    return {l.storedType(), where};
}

Grid readTiffPage(TIFF* tiff, TiffStream& stream, const TiffPick& pick, Conversion& conversion, const Source& source) {
    const auto& limits = source.limits;
    const auto& where = source.where;
    const auto l = tiffLayout(tiff);
    checkTiffSupported(l, where);
    auto channels = channelsOf(l, pick);
    const Shape shape{l.width, l.height, 1, channelCount(l, channels)};
    limits.check(shape, conversion.held(), where);
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

    Grid grid(shape, conversion.held());
    readMetadata(tiff, l, source, grid);
    Placer placer(l, std::move(channels), conversion, grid);
    if (pick.plane > 0) {
        readPlane(tiff, l, pick.plane, placer, source);
    } else {
        readBlocks(tiff, stream, l, placer, where);
    }
    if (l.samples == 2 && l.samplesTogether()) {
        withType(grid.type(), [&]<class T>(T) { spreadGrey<T>(grid); });
    }
    if (l.palette()) grid = applyPalette(tiff, l, grid, where);
    return upright(std::move(grid), l.orientation);
}

TiffPageKind kindOfTiffPage(TIFF* tiff) {
    const auto l = tiffLayout(tiff);
    const bool reduced = (tiffTag<std::uint32_t>(tiff, TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0;
    return {l.width, l.height, l.bits, l.samples, l.format, l.photometric, l.orientation, l.compression, reduced};
}

int picturesOfTiffPage(TIFF* tiff) {
    const auto l = tiffLayout(tiff);
    return l.samplesTogether() ? 1 : l.samples;
}

bool planesFollowTiffPage(TIFF* tiff) {
    const auto l = tiffLayout(tiff);
    if (l.compression != COMPRESSION_NONE || l.tiled || l.separate() || l.packed() || l.width == 0) return false;
    std::uint64_t expected = beginOfValues(tiff);
    for (std::uint32_t strip = 0; strip < TIFFNumberOfStrips(tiff); ++strip) {
        if (TIFFGetStrileOffset(tiff, strip) != expected) return false;
        expected += TIFFGetStrileByteCount(tiff, strip);
    }
    return true;
}

}  // namespace warplens::io::codecs
