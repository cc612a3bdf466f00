// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/fixtures.hpp"

#include <png.h>

namespace warplens::test {
namespace {

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test.png"); }

TEST(Png, LowGreyDepthsSpreadOverTheRange) {
    for (const int bits : {1, 2, 4}) {
        const int perByte = 8 / bits;
        const auto file = makePng({8, 1, bits, PNG_COLOR_TYPE_GRAY, false, {}, {}, -1},
                                  Bytes(static_cast<std::size_t>(bits), std::byte{0b00011011}));
        const auto grid = decode(file);
        EXPECT_EQ(grid.type(), io::PixelType::u8);
        EXPECT_EQ(grid.sourceType(), "u" + std::to_string(bits));
        EXPECT_EQ(grid.metadata.notes.size(), 1U);
        for (int x = 0; x < 8; ++x) {
            const int value = 0b00011011 >> (8 - bits - x % perByte * bits) & ((1 << bits) - 1);
            EXPECT_EQ(grid.value(x, 0), value * 255 / ((1 << bits) - 1)) << bits << " bits, x " << x;
        }
    }
}

TEST(Png, PalettesBecomeColour) {
    PngOptions options{4, 1, 2, PNG_COLOR_TYPE_PALETTE, false, {1, 2, 3, 40, 50, 60, 7, 8, 9}, {}, -1};
    const Bytes row{std::byte{0b10010000}};
    auto grid = decode(makePng(options, row));
    EXPECT_EQ(grid.shape().channels, 3);
    EXPECT_EQ(grid.value(0, 0, 0, 0), 7);
    EXPECT_EQ(grid.value(1, 0, 0, 2), 60);
    options.transparency = {0, 128};
    grid = decode(makePng(options, row));
    EXPECT_EQ(grid.shape().channels, 4);
    EXPECT_EQ(grid.value(0, 0, 0, 3), 255);
    EXPECT_EQ(grid.value(1, 0, 0, 3), 128);
    EXPECT_EQ(grid.value(2, 0, 0, 3), 0);
}

TEST(Png, GreyWithAlphaBecomesRgbaAndSaysSo) {
    const auto file = makePng({2, 1, 16, PNG_COLOR_TYPE_GRAY_ALPHA, false, {}, {}, -1},
                              bytesOf(std::string("\x12\x34\xff\xff\0\1\x80\0", 8)));
    const auto grid = decode(file);
    EXPECT_EQ(grid.shape().channels, 4);
    EXPECT_EQ(grid.type(), io::PixelType::u16);
    for (int c = 0; c < 3; ++c) EXPECT_EQ(grid.value(0, 0, 0, c), 0x1234);
    EXPECT_EQ(grid.value(1, 0, 0, 3), 0x8000);
    ASSERT_EQ(grid.metadata.notes.size(), 1U);
    EXPECT_NE(grid.metadata.notes[0].find("RGBA"), std::string::npos);
    const auto keyed = decode(makePng({2, 1, 8, PNG_COLOR_TYPE_GRAY, false, {}, {}, 5}, {std::byte{5}, std::byte{6}}));
    EXPECT_EQ(keyed.shape().channels, 4);
    EXPECT_EQ(keyed.value(0, 0, 0, 3), 0);
    EXPECT_EQ(keyed.value(1, 0, 0, 3), 255);
}

TEST(Png, InterlacedIsTheSamePicture) {
    for (const int bits : {8, 16}) {
        const auto values = randomGrid({19, 23, 1, 3}, bits == 8 ? io::PixelType::u8 : io::PixelType::u16);
        const Bytes rows(values.data(), values.data() + values.bytes());
        PngOptions options{19, 23, bits, PNG_COLOR_TYPE_RGB, false, {}, {}, -1};
        const auto plain = decode(makePng(options, rows));
        options.interlaced = true;
        EXPECT_TRUE(sameValues(decode(makePng(options, rows)), plain));
    }
}

}  // namespace
}  // namespace warplens::test
