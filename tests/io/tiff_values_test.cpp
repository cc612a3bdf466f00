// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/fixtures.hpp"

#include <cmath>
#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;

constexpr int kWidth = 37;
constexpr int kHeight = 21;

/// One kind of stored values: as TIFF describes it, and what becomes of it.
struct Stored {
    const char* name;
    int bits, format;
    PixelType held;
};
constexpr Stored kStored[] = {
    {"u1", 1, SAMPLEFORMAT_UINT, PixelType::u8},      {"u2", 2, SAMPLEFORMAT_UINT, PixelType::u8},
    {"u4", 4, SAMPLEFORMAT_UINT, PixelType::u8},      {"u8", 8, SAMPLEFORMAT_UINT, PixelType::u8},
    {"i8", 8, SAMPLEFORMAT_INT, PixelType::f32},      {"u12", 12, SAMPLEFORMAT_UINT, PixelType::u16},
    {"u16", 16, SAMPLEFORMAT_UINT, PixelType::u16},   {"i16", 16, SAMPLEFORMAT_INT, PixelType::f32},
    {"f16", 16, SAMPLEFORMAT_IEEEFP, PixelType::f32}, {"u24", 24, SAMPLEFORMAT_UINT, PixelType::u32},
    {"u32", 32, SAMPLEFORMAT_UINT, PixelType::u32},   {"i32", 32, SAMPLEFORMAT_INT, PixelType::i32},
    {"f32", 32, SAMPLEFORMAT_IEEEFP, PixelType::f32}, {"u64", 64, SAMPLEFORMAT_UINT, PixelType::f32},
    {"i64", 64, SAMPLEFORMAT_INT, PixelType::f32},    {"f64", 64, SAMPLEFORMAT_IEEEFP, PixelType::f32}};

/// The bits that are stored for the value at x, y of a channel, and the value that has to come out.
struct Value {
    std::uint64_t bits;
    double expected;
};
Value valueAt(const Stored& stored, int x, int y, int channel) {
    const auto i = static_cast<std::uint64_t>(x * 7 + y * 41 + channel * 13);
    if (stored.bits < 8) {
        const auto most = (1U << stored.bits) - 1;
        return {i % (most + 1), static_cast<double>(i % (most + 1) * (255 / most))};
    }
    if (stored.format == SAMPLEFORMAT_IEEEFP) {
        const auto fraction = i % 1024;
        const double value = std::ldexp(1 + static_cast<double>(fraction) / 1024, 3) * (i % 2 == 0 ? 1 : -1);
        const std::uint64_t sign = i % 2;
        if (stored.bits == 16) return {sign << 15 | std::uint64_t{18} << 10 | fraction, value};
        if (stored.bits == 32) return {sign << 31 | std::uint64_t{130} << 23 | fraction << 13, value};
        return {sign << 63 | std::uint64_t{1026} << 52 | fraction << 42, value};
    }
    if (stored.bits == 8) {
        const auto byte = i % 256;
        const bool negative = stored.format == SAMPLEFORMAT_INT && byte > 127;
        return {byte, static_cast<double>(byte) - (negative ? 256 : 0)};
    }
    // The highest and the lowest bits; between them few enough for a float.
    const auto top = static_cast<std::uint64_t>(stored.bits - 8);
    const std::uint64_t bits = (i % 256) << top | (stored.bits == 64 ? 0 : i % 251);
    if (stored.format == SAMPLEFORMAT_UINT || i % 256 < 128) return {bits, static_cast<double>(bits)};
    return {bits, static_cast<double>(bits) - std::ldexp(1, stored.bits)};
}

/// Rows of values as libtiff wants them to write: whole bytes in the host's order, fewer bits packed from the highest.
class Rows {
public:
    explicit Rows(const Stored& stored) : m_stored(stored) {}

    void add(std::uint64_t bits) {
        if (m_stored.bits % 8 == 0) {
            const auto value = little(bits, static_cast<std::size_t>(m_stored.bits / 8));
            bytes.insert(bytes.end(), value.begin(), value.end());
            return;
        }
        for (int bit = m_stored.bits; bit-- > 0;) {
            if (m_at % 8 == 0) bytes.push_back(std::byte{0});
            bytes.back() |= static_cast<std::byte>((bits >> bit & 1) << (7 - m_at % 8));
            ++m_at;
        }
    }
    void endRow() { m_at = 0; }

    Bytes bytes;

private:
    const Stored& m_stored;
    unsigned m_at = 0;
};

struct Way {
    const char* mode = "wl";
    int compression = COMPRESSION_NONE;
    int predictor = 1;
    bool tiled = false, planar = false;
    int samples = 1;
};

Bytes makeFile(const Stored& stored, const Way& way) {
    return makeTiff(way.mode, [&](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kWidth);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kHeight);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, stored.bits);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, stored.format);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, way.samples);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, way.samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, way.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, way.compression);
        if (way.predictor > 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, way.predictor);
        const int blockWidth = way.tiled ? 16 : kWidth;
        const int blockHeight = way.tiled ? 16 : 8;
        if (way.tiled) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, blockWidth);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, blockHeight);
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, blockHeight);
        }
        std::uint32_t block = 0;
        for (int plane = 0; plane < (way.planar ? way.samples : 1); ++plane) {
            for (int y0 = 0; y0 < kHeight; y0 += blockHeight) {
                for (int x0 = 0; x0 < kWidth; x0 += blockWidth, ++block) {
                    Rows rows(stored);
                    const int bottom = way.tiled ? y0 + blockHeight : std::min(y0 + blockHeight, kHeight);
                    for (int y = y0; y < bottom; ++y, rows.endRow()) {
                        for (int x = x0; x < x0 + blockWidth; ++x) {
                            for (int s = 0; s < (way.planar ? 1 : way.samples); ++s)
                                rows.add(valueAt(stored, x, y, way.planar ? plane : s).bits);
                        }
                    }
                    const auto size = static_cast<tmsize_t>(rows.bytes.size());
                    const auto written = way.tiled ? TIFFWriteEncodedTile(tiff, block, rows.bytes.data(), size)
                                                   : TIFFWriteEncodedStrip(tiff, block, rows.bytes.data(), size);
                    ASSERT_EQ(written, size);
                }
            }
        }
    });
}

void check(const Stored& stored, const Way& way) {
    SCOPED_TRACE(std::string(stored.name) + ' ' + way.mode + " compression " + std::to_string(way.compression) +
                 " predictor " + std::to_string(way.predictor) + (way.tiled ? " tiles" : " strips") +
                 (way.planar ? " planar " : " together ") + std::to_string(way.samples));
    const auto grid = io::codecs::decode(makeFile(stored, way), {}, "test.tif");
    ASSERT_EQ(grid.shape(), (io::Shape{kWidth, kHeight, 1, way.samples}));
    ASSERT_EQ(grid.type(), stored.held);
    EXPECT_EQ(grid.sourceType(), stored.name);
    EXPECT_EQ(grid.metadata.notes.size(), stored.bits < 8 ? 1U : 0U);
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y) {
        for (int x = 0; x < kWidth; ++x) {
            for (int c = 0; c < way.samples; ++c) wrong += grid.value(x, y, 0, c) != valueAt(stored, x, y, c).expected;
        }
    }
    EXPECT_EQ(wrong, 0);
}

TEST(TiffValues, EveryTypeInEitherByteOrderBlocksAndPlanes) {
    for (const auto& stored : kStored) {
        for (const char* mode : {"wl", "wb", "w8l", "w8b"}) {
            for (const bool tiled : {false, true}) {
                check(stored, {.mode = mode, .tiled = tiled});
                check(stored, {.mode = mode, .tiled = tiled, .samples = 3});
                check(stored, {.mode = mode, .tiled = tiled, .planar = true, .samples = 3});
            }
        }
    }
}

TEST(TiffValues, EveryTypeInEveryLosslessCodingThatTakesIt) {
    int files = 0;
    for (const int compression :
         {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_LZMA,
          COMPRESSION_ZSTD, COMPRESSION_LERC, COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
        if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) continue;
        const bool fax = compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
        const bool predicts = compression != COMPRESSION_PACKBITS && compression != COMPRESSION_LERC && !fax;
        for (const auto& stored : kStored) {
            const bool floats = stored.format == SAMPLEFORMAT_IEEEFP;
            if (fax != (stored.bits == 1) && fax) continue;
            const bool lerc = stored.bits >= 8 && stored.bits != 12 && stored.bits != 24 &&
                              !(floats && stored.bits == 16) && !(stored.bits == 64 && !floats);
            if (compression == COMPRESSION_LERC && !lerc) continue;
            for (const char* mode : {"wl", "wb"}) {
                check(stored, {.mode = mode, .compression = compression});
                ++files;
                if (!predicts) continue;
                // Differences of whole bytes; of floats by bytes as well.
                const bool differences =
                    stored.bits == 8 || stored.bits == 16 || stored.bits == 32 || stored.bits == 64;
                if (differences)
                    check(stored, {.mode = mode, .compression = compression, .predictor = 2, .samples = 3});
                // libtiff itself writes those of the other byte order wrongly; tests/io/peers reads them from others.
                const bool bytewise = floats && mode[1] == 'l';
                if (bytewise) check(stored, {.mode = mode, .compression = compression, .predictor = 3, .tiled = true});
                files += differences + bytewise;
            }
        }
    }
    EXPECT_GT(files, 100);
}

TEST(TiffValues, SamplesWithoutANameArePicturesOfTheirOwn) {
    const auto file = makeFile(kStored[6], {.samples = 5});
    for (int sample = 0; sample <= 5; ++sample) {
        io::codecs::Source source;
        source.file = file;
        source.fileBytes = static_cast<std::int64_t>(file.size());
        source.where = "test.tif";
        source.frame = sample;
        const auto grid = io::codecs::identify(file)->decode(source);
        ASSERT_EQ(grid.shape(), (io::Shape{kWidth, kHeight, 1, 1}));
        EXPECT_EQ(grid.value(3, 4), valueAt(kStored[6], 3, 4, std::max(sample - 1, 0)).expected);
        EXPECT_EQ(grid.metadata.pages, 5);
        EXPECT_EQ(grid.metadata.page, std::max(sample, 1));
        ASSERT_EQ(grid.metadata.notes.size(), 1U);
        EXPECT_NE(grid.metadata.notes[0].find("sample"), std::string::npos);
    }
}

/// A palette picture of two pixels, the second and the last of the table.
io::Grid palette(int bits, std::uint16_t (*entry)(std::size_t i)) {
    std::vector<std::uint16_t> table(std::size_t{1} << bits);
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = entry(i);
    auto green = table;
    std::reverse(green.begin(), green.end());
    const auto last = (1U << bits) - 1;
    const auto row = bits == 16
                         ? join({little(1, 2), little(last, 2)})
                         : Bytes{static_cast<std::byte>(bits == 8 ? 1 : (1U << (8 - bits) | last << (8 - 2 * bits))),
                                 static_cast<std::byte>(last)};
    return io::codecs::decode(makeTiff("wl",
                                       [&](void* handle) {
                                           auto* tiff = static_cast<TIFF*>(handle);
                                           TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 2);
                                           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
                                           TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
                                           TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
                                           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_PALETTE);
                                           TIFFSetField(tiff, TIFFTAG_COLORMAP, table.data(), green.data(),
                                                        table.data());
                                           auto copy = row;
                                           TIFFWriteScanline(tiff, copy.data(), 0, 0);
                                       }),
                              {}, "palette.tif");
}

TEST(TiffValues, PalettesKeepTheirSixteenBits) {
    for (const int bits : {1, 2, 4, 8, 16}) {
        const auto size = std::size_t{1} << bits;
        const auto expect = [&](const io::Grid& grid, PixelType type, double second, double last, double first) {
            ASSERT_EQ(grid.type(), type) << bits;
            ASSERT_EQ(grid.shape(), (io::Shape{2, 1, 1, 3})) << bits;
            EXPECT_EQ(grid.value(0, 0, 0, 0), second) << bits;
            EXPECT_EQ(grid.value(1, 0, 0, 2), last) << bits;
            EXPECT_EQ(grid.value(1, 0, 0, 1), first) << bits;
        };
        const auto wide = [](std::size_t i) { return static_cast<std::uint16_t>(i * 4099 + 259); };
        expect(palette(bits, wide), PixelType::u16, wide(1), wide(size - 1), wide(0));
        // Eight bits, as they are written: twice, in the upper byte, or in the lower.
        const auto twice = [](std::size_t i) { return static_cast<std::uint16_t>((i * 7 + 9) % 256 * 257); };
        expect(palette(bits, twice), PixelType::u8, twice(1) / 257, twice(size - 1) / 257, twice(0) / 257);
        const auto upper = [](std::size_t i) { return static_cast<std::uint16_t>((i * 7 + 9) % 256 * 256); };
        expect(palette(bits, upper), PixelType::u8, upper(1) / 256, upper(size - 1) / 256, upper(0) / 256);
        const auto lower = [](std::size_t i) { return static_cast<std::uint16_t>((i * 7 + 9) % 256); };
        expect(palette(bits, lower), PixelType::u8, lower(1), lower(size - 1), lower(0));
    }
}

}  // namespace
}  // namespace warplens::test
