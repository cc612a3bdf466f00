// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/fixtures.hpp"

#include <tiffio.h>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test.tif"); }

void setBasics(TIFF* tiff, int width, int height, int bits, int samples, int photometric,
               int format = SAMPLEFORMAT_UINT) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, format);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
}

/// A picture written row by row: strips.
Bytes strips(int width, int height, int bits, int samples, int photometric, const Bytes& rows,
             const std::function<void(TIFF*)>& more = {}, int format = SAMPLEFORMAT_UINT, const char* mode = "wb") {
    return makeTiff(mode, [&](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        setBasics(tiff, width, height, bits, samples, photometric, format);
        if (more) more(tiff);
        auto copy = rows;
        const auto rowBytes = rows.size() / static_cast<std::size_t>(height);
        for (int y = 0; y < height; ++y) {
            TIFFWriteScanline(tiff, copy.data() + static_cast<std::size_t>(y) * rowBytes, static_cast<std::uint32_t>(y),
                              0);
        }
    });
}

Bytes bytesOfGrid(const io::Grid& grid) { return {grid.data(), grid.data() + grid.bytes()}; }

TEST(Tiff, EveryCommonCompressionByteOrderAndBigTiff) {
    const auto grid = randomGrid({37, 29, 1, 3}, io::PixelType::u16);
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
                                  COMPRESSION_LZMA, COMPRESSION_ZSTD}) {
        if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) continue;
        for (const char* mode : {"wl", "wb", "w8"}) {
            const auto file = strips(
                37, 29, 16, 3, PHOTOMETRIC_RGB, bytesOfGrid(grid),
                [&](TIFF* tiff) {
                    TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
                    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 5);
                },
                SAMPLEFORMAT_UINT, mode);
            EXPECT_TRUE(sameValues(decode(file), grid)) << compression << ' ' << mode;
        }
    }
}

TEST(Tiff, TilesAndPlanes) {
    const auto grid = randomGrid({50, 35, 1, 3}, io::PixelType::f32);
    for (const bool planar : {false, true}) {
        const auto file = makeTiff("wb", [&](void* handle) {
            auto* tiff = static_cast<TIFF*>(handle);
            setBasics(tiff, 50, 35, 32, 3, PHOTOMETRIC_RGB, SAMPLEFORMAT_IEEEFP);
            TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, 32);
            const int together = planar ? 1 : 3;
            for (int plane = 0; plane < (planar ? 3 : 1); ++plane) {
                for (int y0 = 0; y0 < 35; y0 += 32) {
                    for (int x0 = 0; x0 < 50; x0 += 16) {
                        std::vector<float> tile(static_cast<std::size_t>(16 * 32 * together), -1.0F);
                        for (int y = y0; y < std::min(y0 + 32, 35); ++y) {
                            for (int x = x0; x < std::min(x0 + 16, 50); ++x) {
                                for (int s = 0; s < together; ++s) {
                                    tile[static_cast<std::size_t>(((y - y0) * 16 + x - x0) * together + s)] =
                                        grid.as<float>()[grid.index(x, y, 0, planar ? plane : s)];
                                }
                            }
                        }
                        TIFFWriteTile(tiff, tile.data(), static_cast<std::uint32_t>(x0), static_cast<std::uint32_t>(y0),
                                      0, static_cast<std::uint16_t>(plane));
                    }
                }
            }
        });
        EXPECT_TRUE(sameValues(decode(file), grid)) << "planar " << planar;
    }
}

TEST(Tiff, PlanarStripsOfGreyAndAlpha) {
    const auto file = makeTiff("wb", [](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        setBasics(tiff, 2, 1, 8, 2, PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_SEPARATE);
        const std::uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
        unsigned char grey[] = {10, 20};
        unsigned char see[] = {30, 40};
        TIFFWriteScanline(tiff, grey, 0, 0);
        TIFFWriteScanline(tiff, see, 0, 1);
    });
    const auto grid = decode(file);
    EXPECT_EQ(grid.shape().channels, 4);
    EXPECT_EQ(grid.value(1, 0, 0, 1), 20);
    EXPECT_EQ(grid.value(1, 0, 0, 3), 40);
}

TEST(Tiff, WhereWhiteIsTheLowestValueValuesStayAsStoredAndANoteSaysSo) {
    const auto grid = decode(strips(2, 1, 8, 1, PHOTOMETRIC_MINISWHITE, {std::byte{0}, std::byte{250}}));
    EXPECT_EQ(grid.value(0, 0), 0);
    EXPECT_EQ(grid.value(1, 0), 250);
    ASSERT_EQ(grid.metadata.notes.size(), 1U);
    EXPECT_NE(grid.metadata.notes[0].find("white"), std::string::npos);
    const auto bits = decode(strips(8, 1, 1, 1, PHOTOMETRIC_MINISWHITE, {std::byte{0x0f}}, [](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_CCITTFAX4);
    }));
    EXPECT_EQ(bits.value(0, 0), 0);
    EXPECT_EQ(bits.value(7, 0), 255);
    EXPECT_EQ(bits.sourceType(), "u1");
    EXPECT_EQ(bits.metadata.notes.size(), 2U);
}

TEST(Tiff, SignedPaletteOrientationAndJpeg) {
    const auto negative = decode(strips(2, 1, 16, 1, PHOTOMETRIC_MINISBLACK, join({little(0xfffe, 2), little(5, 2)}),
                                        {}, SAMPLEFORMAT_INT, "wl"));
    EXPECT_EQ(negative.value(0, 0), -2);
    EXPECT_EQ(negative.sourceType(), "i16");

    std::vector<std::uint16_t> table(256);
    table[3] = 0xab00;
    const auto palette = decode(strips(2, 1, 8, 1, PHOTOMETRIC_PALETTE, {std::byte{3}, std::byte{4}}, [&](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_COLORMAP, table.data(), table.data(), table.data());
    }));
    EXPECT_EQ(palette.shape().channels, 3);
    EXPECT_EQ(palette.value(0, 0, 0, 1), 0xab);

    const auto turned = decode(strips(2, 1, 8, 1, PHOTOMETRIC_MINISBLACK, {std::byte{3}, std::byte{4}}, [](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_RIGHTTOP);
    }));
    EXPECT_EQ(turned.shape(), (io::Shape{1, 2, 1, 1}));

    const auto jpeg = decode(strips(16, 16, 8, 3, PHOTOMETRIC_YCBCR, Bytes(768, std::byte{90}), [](TIFF* tiff) {
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }));
    EXPECT_NEAR(jpeg.value(8, 8, 0, 2), 90, 2);
}

TEST(Tiff, OtherKindsAreRefusedByName) {
    const auto refused = [](int bits, int samples, int photometric, int format, const char* words) {
        const auto bytes = static_cast<std::size_t>(bits / 8 * samples);
        return refuses([&] { decode(strips(1, 1, bits, samples, photometric, Bytes(bytes), {}, format)); },
                       Kind::unsupported, words);
    };
    constexpr int kGrey = PHOTOMETRIC_MINISBLACK;
    EXPECT_TRUE(refused(64, 1, kGrey, SAMPLEFORMAT_COMPLEXIEEEFP, "64-bit complex values: save real part"));
    EXPECT_TRUE(refused(128, 1, kGrey, SAMPLEFORMAT_COMPLEXIEEEFP, "128-bit complex values"));
    EXPECT_TRUE(refused(32, 1, kGrey, SAMPLEFORMAT_COMPLEXINT, "32-bit complex integers"));
    EXPECT_TRUE(refused(128, 1, kGrey, SAMPLEFORMAT_IEEEFP, "128-bit floating-point values"));
    EXPECT_TRUE(refused(8, 4, PHOTOMETRIC_SEPARATED, SAMPLEFORMAT_UINT, "a CMYK TIFF: convert it to RGB"));
    EXPECT_TRUE(refused(8, 3, PHOTOMETRIC_CIELAB, SAMPLEFORMAT_UINT, "L*a*b*"));
    EXPECT_TRUE(refused(8, 3, PHOTOMETRIC_YCBCR, SAMPLEFORMAT_UINT, "YCbCr TIFF without JPEG"));
    EXPECT_TRUE(refused(16, 1, 32803, SAMPLEFORMAT_UINT, "colour filter array"));
    auto file = strips(1, 1, 8, 1, kGrey, Bytes(1), {}, SAMPLEFORMAT_UINT, "wl");
    const auto compression = join({little(259, 2), little(3, 2), little(1, 4), little(1, 2)});
    const auto found = std::search(file.begin(), file.end(), compression.begin(), compression.end());
    ASSERT_NE(found, file.end());
    const auto jpeg2000 = little(34712, 2);
    std::copy(jpeg2000.begin(), jpeg2000.end(), found + 8);
    EXPECT_TRUE(refuses([&] { decode(file); }, Kind::unsupported, "JPEG 2000"));
}

}  // namespace
}  // namespace warplens::test
