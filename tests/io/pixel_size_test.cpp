// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/in_space.hpp"
#include "io/read.hpp"
#include "tests/io/support/fixtures.hpp"

#include <array>
#include <png.h>
#include <tiffio.h>
#include <zlib.h>

namespace warplens::test {
namespace {

Bytes big(std::uint64_t value, std::size_t size) {
    auto bytes = little(value, size);
    std::reverse(bytes.begin(), bytes.end());
    return bytes;
}

/// A PNG of 3 x 2 grey values 1 to 6, with a chunk before or after its pixels.
Bytes pngWith(const std::string& name, const Bytes& content, bool after = false) {
    Bytes rows;
    for (int i = 1; i <= 6; ++i) rows.push_back(static_cast<std::byte>(i));
    auto file = makePng({3, 2, 8, PNG_COLOR_TYPE_GRAY, false, {}, {}, -1}, rows);
    const auto named = join({bytesOf(name), content});
    const auto checksum = ::crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size()));
    const auto chunk = join({big(content.size(), 4), named, big(checksum, 4)});
    constexpr std::ptrdiff_t kHeader = 8 + 25;
    constexpr std::ptrdiff_t kEnd = 12;
    file.insert(after ? file.end() - kEnd : file.begin() + kHeader, chunk.begin(), chunk.end());
    return file;
}

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test"); }

/// What 3 x 2 values 1 to 6 are when turned as an orientation of 1 to 8 says, row by row.
constexpr std::array<std::array<int, 6>, 8> kTurned{{{1, 2, 3, 4, 5, 6},
                                                     {3, 2, 1, 6, 5, 4},
                                                     {6, 5, 4, 3, 2, 1},
                                                     {4, 5, 6, 1, 2, 3},
                                                     {1, 4, 2, 5, 3, 6},
                                                     {4, 1, 5, 2, 6, 3},
                                                     {6, 3, 5, 2, 4, 1},
                                                     {3, 6, 2, 5, 1, 4}}};

void expectTurned(const io::Grid& grid, int orientation) {
    ASSERT_EQ(grid.shape(), orientation < 5 ? (io::Shape{3, 2, 1, 1}) : (io::Shape{2, 3, 1, 1}));
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(static_cast<int>(grid.as<std::uint8_t>()[i]),
                  kTurned[static_cast<std::size_t>(orientation - 1)][static_cast<std::size_t>(i)])
            << orientation << ' ' << i;
    }
    EXPECT_EQ(grid.metadata.notes.size(), orientation == 1 ? 0U : 1U);
}

TEST(PngExif, TheOrientationIsAppliedWhereverTheChunkStands) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        for (const bool bigEndian : {false, true}) {
            for (const bool after : {false, true}) {
                auto exif = exifSegment(orientation, bigEndian);
                exif.erase(exif.begin(), exif.begin() + 6);
                expectTurned(decode(pngWith("eXIf", exif, after)), orientation);
            }
        }
    }
}

TEST(PngExif, NonsenseLeavesThePictureAsItIs) {
    for (const auto& exif : {Bytes(4), bytesOf("II*\0"), Bytes(40, std::byte{0xff}), exifSegment(6, false)}) {
        const auto grid = decode(pngWith("eXIf", exif));
        EXPECT_EQ(grid.shape(), (io::Shape{3, 2, 1, 1}));
        EXPECT_EQ(grid.value(2, 1), 6);
    }
}

Bytes tiffWith(const std::function<void(TIFF*)>& tags) {
    return makeTiff("wl", [&](void* handle) {
        auto* tiff = static_cast<TIFF*>(handle);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 3);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        tags(tiff);
        std::array<unsigned char, 6> values{1, 2, 3, 4, 5, 6};
        TIFFWriteEncodedStrip(tiff, 0, values.data(), values.size());
    });
}

/// JFIF's density, put into a JPEG that says none.
Bytes jpegWith(int unit, int x, int y, const Bytes& exif = {}) {
    auto file = makeJpeg(8, 8, 1, Bytes(64, std::byte{90}), exif);
    const auto name = bytesOf("JFIF");
    const auto at = std::search(file.begin(), file.end(), name.begin(), name.end());
    if (at == file.end()) return {};
    const auto fields = join({big(static_cast<std::uint64_t>(unit), 1), big(static_cast<std::uint64_t>(x), 2),
                              big(static_cast<std::uint64_t>(y), 2)});
    std::copy(fields.begin(), fields.end(), at + 7);
    return file;
}

void expectSize(const io::Grid& grid, double x, double y) {
    EXPECT_NEAR(grid.geometry.spacing[0], x, 1e-12);
    EXPECT_NEAR(grid.geometry.spacing[1], y, 1e-12);
    EXPECT_EQ(grid.geometry.spacing[2], 1);
    ASSERT_TRUE(grid.metadata.dpi);
    EXPECT_NEAR((*grid.metadata.dpi)[0] * x, 25.4, 1e-12);
    EXPECT_NEAR((*grid.metadata.dpi)[1] * y, 25.4, 1e-12);
}

TEST(PixelSize, TheResolutionOfAPictureIsItsSpacing) {
    expectSize(decode(pngWith("pHYs", join({big(10000, 4), big(4000, 4), big(1, 1)}))), 0.1, 0.25);
    EXPECT_FALSE(io::hasGeometry(decode(pngWith("pHYs", join({big(10000, 4), big(4000, 4), big(0, 1)}))).geometry));

    expectSize(decode(jpegWith(1, 254, 127)), 0.1, 0.2);
    expectSize(decode(jpegWith(2, 100, 50)), 0.1, 0.2);
    EXPECT_FALSE(io::hasGeometry(decode(jpegWith(0, 1, 2)).geometry));
    expectSize(decode(jpegWith(1, 254, 127, exifSegment(6, true))), 0.2, 0.1);

    for (int orientation = 1; orientation <= 8; ++orientation) {
        for (const int unit : {RESUNIT_INCH, RESUNIT_CENTIMETER, RESUNIT_NONE}) {
            const auto grid = decode(tiffWith([&](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
                TIFFSetField(tiff, TIFFTAG_XRESOLUTION, unit == RESUNIT_INCH ? 254.0F : 100.0F);
                TIFFSetField(tiff, TIFFTAG_YRESOLUTION, unit == RESUNIT_INCH ? 127.0F : 50.0F);
                TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
            }));
            expectTurned(grid, orientation);
            if (unit == RESUNIT_NONE) {
                EXPECT_FALSE(io::hasGeometry(grid.geometry));
            } else {
                expectSize(grid, orientation < 5 ? 0.1 : 0.2, orientation < 5 ? 0.2 : 0.1);
            }
        }
    }
}

TEST(PixelSize, SlicesOfASeriesKeepItAndSayWhatIsAssumed) {
    const Folder folder;
    for (const char* name : {"s1.png", "s2.png"})
        folder.write(name, pngWith("pHYs", join({big(10000, 4), big(4000, 4), big(1, 1)})));
    const auto volume = io::read("series:" + (folder.path() / "s#.png").string());
    EXPECT_EQ(volume.shape().depth, 2);
    expectSize(volume, 0.1, 0.25);
    ASSERT_EQ(volume.metadata.notes.size(), 1U);
    EXPECT_NE(volume.metadata.notes[0].find("1 mm is assumed"), std::string::npos);
}

TEST(PixelSize, OfWhatLiesInAPictureIsNoResolution) {
    io::Grid grid({3, 2, 1, 1}, io::PixelType::u8);
    std::fill_n(grid.data(), grid.bytes(), std::byte{7});
    grid.geometry.spacing = {0.0005, 0.00025, 1};
    const auto back = decode(io::codecs::encode(grid, "tiff", "x"));
    EXPECT_FALSE(back.metadata.dpi);
    EXPECT_NEAR(back.geometry.spacing[0], 0.0005, 1e-10);
    EXPECT_NEAR(back.geometry.spacing[1], 0.00025, 1e-10);
    // Others know a resolution alone.
    expectSize(decode(io::codecs::encode(grid, "png", "x")), 0.0005, 0.00025);
    expectSize(decode(io::codecs::encode(grid, "webp", "x", {.quality = 100})), 0.0005, 0.00025);
    grid.geometry.spacing = {0.1, 0.2, 1};
    expectSize(decode(io::codecs::encode(grid, "jpeg", "x")), 0.1, 0.2);
    grid.metadata.dpi = {254, 127};
    EXPECT_TRUE(decode(io::codecs::encode(grid, "tiff", "x")).metadata.dpi) << "it is printed so";
}

TEST(PixelSize, OfAVoxelComesBackFromATiff) {
    for (const int channels : {1, 3}) {
        io::Grid grid({3, 2, 4, channels}, io::PixelType::u16);
        for (std::int64_t i = 0; i < grid.shape().values(); ++i)
            grid.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(7 * i);
        grid.geometry.spacing = {0.3, 0.25, 1.5};
        grid.geometry.origin = {-6, 0, 4.5};
        const auto back = decode(io::codecs::encode(grid, "tiff", "x"));
        EXPECT_EQ(back.shape(), grid.shape());
        EXPECT_TRUE(std::equal(grid.data(), grid.data() + grid.bytes(), back.data()));
        // libtiff holds a resolution as a float; of slices there is the description.
        constexpr double kRounding = 1e-7;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            EXPECT_NEAR(back.geometry.spacing[axis], grid.geometry.spacing[axis], kRounding) << axis;
            EXPECT_NEAR(back.geometry.origin[axis], grid.geometry.origin[axis], 6 / 0.3 * kRounding) << axis;
        }
        EXPECT_EQ(back.geometry.spacing[2], grid.geometry.spacing[2]);
        EXPECT_EQ(back.geometry.origin[2], grid.geometry.origin[2]);
        EXPECT_TRUE(back.metadata.notes.empty()) << back.metadata.notes.front();
        grid.geometry = {};
        EXPECT_FALSE(io::hasGeometry(decode(io::codecs::encode(grid, "tiff", "x")).geometry)) << "none was said";
    }
}

}  // namespace
}  // namespace warplens::test
