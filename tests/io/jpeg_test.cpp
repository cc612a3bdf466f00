// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/codecs/exif.hpp"
#include "tests/io/support/fixtures.hpp"

#include <array>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

/// Dark but for a bright top-left quarter and a medium top-right one.
Bytes marked(int width, int height) {
    Bytes values;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            values.push_back(static_cast<std::byte>(y < height / 2 ? (x < width / 2 ? 250 : 120) : 5));
        }
    }
    return values;
}

TEST(Jpeg, TheExifOrientationIsApplied) {
    // What stands in the corners afterwards: top left, top right, bottom left, bottom right.
    constexpr std::array<std::array<int, 4>, 8> kCorners{{{250, 120, 5, 5},
                                                          {120, 250, 5, 5},
                                                          {5, 5, 120, 250},
                                                          {5, 5, 250, 120},
                                                          {250, 5, 120, 5},
                                                          {5, 250, 5, 120},
                                                          {5, 120, 5, 250},
                                                          {120, 5, 250, 5}}};
    for (const bool big : {false, true}) {
        for (int orientation = 1; orientation <= 8; ++orientation) {
            const auto file = makeJpeg(32, 16, 1, marked(32, 16), exifSegment(orientation, big));
            const auto grid = io::codecs::decode(file, {}, "test");
            const bool swapped = orientation >= 5;
            ASSERT_EQ(grid.shape(), (io::Shape{swapped ? 16 : 32, swapped ? 32 : 16, 1, 1}));
            const auto right = grid.shape().width - 1;
            const auto bottom = grid.shape().height - 1;
            const auto& corners = kCorners[static_cast<std::size_t>(orientation - 1)];
            EXPECT_NEAR(grid.value(0, 0), corners[0], 3) << orientation;
            EXPECT_NEAR(grid.value(right, 0), corners[1], 3) << orientation;
            EXPECT_NEAR(grid.value(0, bottom), corners[2], 3) << orientation;
            EXPECT_NEAR(grid.value(right, bottom), corners[3], 3) << orientation;
            EXPECT_EQ(grid.metadata.notes.size(), orientation == 1 ? 0U : 1U);
        }
    }
}

TEST(Jpeg, ColourAndGreyComeWithinALevelOrTwo) {
    Bytes colours;
    for (int i = 0; i < 64; ++i) colours.insert(colours.end(), {std::byte{200}, std::byte{100}, std::byte{50}});
    const auto profile = bytesOf(std::string(70000, 'p'));
    const auto grid = io::codecs::decode(makeJpeg(8, 8, 3, colours, {}, true, profile), {}, "test");
    EXPECT_EQ(grid.shape(), (io::Shape{8, 8, 1, 3}));
    EXPECT_NEAR(grid.value(3, 3, 0, 0), 200, 2);
    EXPECT_NEAR(grid.value(3, 3, 0, 2), 50, 2);
    EXPECT_EQ(grid.metadata.iccProfile, profile) << "over more than one segment";
}

/// What a camera says of the orientation, without the six letters before it.
Bytes cameraSays(int orientation) {
    const Bytes segment = exifSegment(orientation, false);
    return {segment.begin() + 6, segment.end()};
}

io::Grid smoothGrid(const io::Shape& shape) {
    io::Grid grid(shape, io::PixelType::u8);
    for (std::int64_t y = 0; y < shape.height; ++y)
        for (std::int64_t x = 0; x < shape.width; ++x)
            for (int c = 0; c < shape.channels; ++c)
                grid.setValue(x, y, 0, c, static_cast<double>(40 + 4 * x + 2 * y + 10 * c));
    return grid;
}

TEST(Jpeg, IsWrittenWithAllThatIsKnownOfThePicture) {
    for (const int channels : {1, 3}) {
        auto grid = smoothGrid({37, 23, 1, channels});
        grid.metadata.iccProfile = bytesOf(std::string(70000, 'p'));
        grid.metadata.dpi = {300, 150};
        grid.metadata.exif = cameraSays(1);
        for (const int quality : {75, 92, 100}) {
            const auto back = io::codecs::decode(io::codecs::encode(grid, "jpg", "x", {.quality = quality}), {}, "x");
            ASSERT_EQ(back.shape(), grid.shape());
            EXPECT_EQ(back.metadata.iccProfile, grid.metadata.iccProfile);
            EXPECT_EQ(back.metadata.exif, grid.metadata.exif);
            EXPECT_EQ(back.metadata.dpi, grid.metadata.dpi);
            for (std::int64_t y = 0; y < 23; ++y)
                for (std::int64_t x = 0; x < 37; ++x)
                    for (int c = 0; c < channels; ++c)
                        ASSERT_NEAR(back.value(x, y, 0, c), grid.value(x, y, 0, c), quality == 100 ? 3 : 14) << quality;
        }
    }
}

TEST(Jpeg, QualityIsWhatMakesItLarger) {
    const auto grid = randomGrid({64, 64, 1, 3}, io::PixelType::u8);
    std::size_t before = 0;
    for (const int quality : {1, 30, 60, 90, 100}) {
        const auto bytes = io::codecs::encode(grid, "jpg", "x", {.quality = quality}).size();
        EXPECT_GT(bytes, before) << quality;
        before = bytes;
    }
}

TEST(Jpeg, WhatTheCameraSaidLiesUprightOnceThePictureDoes) {
    Bytes colours(8 * 4 * 3, std::byte{90});
    const auto grid = io::codecs::decode(makeJpeg(8, 4, 3, colours, exifSegment(6, true)), {}, "test");
    EXPECT_EQ(grid.shape(), (io::Shape{4, 8, 1, 3}));
    const Bytes said = exifSegment(1, true);
    EXPECT_EQ(grid.metadata.exif, Bytes(said.begin() + 6, said.end()));
    const auto png = io::codecs::decode(io::codecs::encode(grid, "png", "x"), {}, "x");
    EXPECT_EQ(png.shape(), grid.shape());
    EXPECT_EQ(png.metadata.exif, grid.metadata.exif);
}

/// The file without its first segment of this kind.
Bytes without(Bytes file, unsigned char marker) {
    const std::array segment{std::byte{0xff}, static_cast<std::byte>(marker)};
    const auto at = std::search(file.begin(), file.end(), segment.begin(), segment.end());
    file.erase(at, at + 2 + (std::to_integer<int>(at[2]) << 8 | std::to_integer<int>(at[3])));
    return file;
}

TEST(Jpeg, InksBecomeColours) {
    // How much of each ink is not there, as Adobe's programs store it, and what is seen then.
    constexpr std::array<std::array<int, 4>, 5> kInks{
        {{255, 255, 255, 255}, {0, 255, 255, 255}, {255, 255, 255, 0}, {128, 255, 64, 255}, {200, 100, 50, 128}}};
    for (const auto& inks : kInks) {
        for (const bool adobe : {true, false}) {
            Bytes values;
            for (int i = 0; i < 256; ++i) {
                const int ink = inks[static_cast<std::size_t>(i % 4)];
                values.push_back(static_cast<std::byte>(adobe ? ink : 255 - ink));
            }
            const auto file = makeJpeg(8, 8, 4, values, {}, false, bytesOf("inks"));
            const auto grid = io::codecs::decode(adobe ? file : without(file, 0xee), {}, "test");
            ASSERT_EQ(grid.shape(), (io::Shape{8, 8, 1, 3}));
            for (std::size_t c = 0; c < 3; ++c)
                EXPECT_NEAR(grid.value(3, 3, 0, static_cast<int>(c)), inks[c] * inks[3] / 255.0, 2) << inks[3];
            EXPECT_EQ(grid.metadata.notes,
                      std::vector<std::string>{"CMYK was converted to RGB without a colour profile"});
            EXPECT_TRUE(grid.metadata.iccProfile.empty()) << "one of inks";
        }
    }
}

TEST(Jpeg, SoundFilesOfOtherKindsAreNotCalledDamaged) {
    const auto good = makeJpeg(8, 8, 1, Bytes(64));
    const auto frame = Bytes{std::byte{0xff}, std::byte{0xc0}};
    const auto at = std::search(good.begin(), good.end(), frame.begin(), frame.end()) - good.begin();
    const auto with = [&](std::ptrdiff_t offset, int value) {
        auto file = good;
        file[static_cast<std::size_t>(at + offset)] = static_cast<std::byte>(value);
        return [file] { io::codecs::decode(file, {}, "test"); };
    };
    EXPECT_TRUE(refuses(with(4, 12), Kind::unsupported, "a JPEG of 12-bit values"));
    EXPECT_TRUE(refuses(with(1, 0xc3), Kind::unsupported, "lossless"));
    EXPECT_TRUE(refuses(with(1, 0xc7), Kind::unsupported, "hierarchical"));
    EXPECT_TRUE(refuses(with(6, 0xff), Kind::unreadable, ""));
}

TEST(Exif, NonsenseMeansUpright) {
    EXPECT_EQ(io::codecs::exifOrientation(exifSegment(6, true)), 6);
    EXPECT_EQ(io::codecs::exifOrientation(exifSegment(9, true)), 1);
    EXPECT_EQ(io::codecs::exifOrientation({}), 1);
    const auto segment = exifSegment(6, false);
    for (std::size_t size = 0; size < segment.size() - 8; ++size) {
        const Bytes cut(segment.begin(), segment.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_EQ(io::codecs::exifOrientation(cut), 1) << size;
    }
    for (std::size_t i = 0; i < segment.size(); ++i) {
        auto damaged = segment;
        damaged[i] = std::byte{0xff};
        const int found = io::codecs::exifOrientation(damaged);
        EXPECT_TRUE(found == 1 || found == 6) << i;
    }
}

}  // namespace
}  // namespace warplens::test
