// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/files.hpp"

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test"); }

io::Grid decode(const std::string& text) { return decode(bytesOf(text)); }

TEST(Hdr, ValuesAreMantissaTimesTwoToTheExponent) {
    for (const char* signature : {"#?RADIANCE\n", "#?RGBE\n"}) {
        const auto grid = decode(signature + std::string("FORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n") +
                                 std::string("\x80\x40\x20\x81\x01\x02\x03\x00", 8));
        EXPECT_EQ(grid.shape(), (io::Shape{2, 1, 1, 3}));
        EXPECT_EQ(grid.value(0, 0, 0, 0), 1.0);
        EXPECT_EQ(grid.value(0, 0, 0, 1), 0.5);
        EXPECT_EQ(grid.value(1, 0, 0, 2), 0.0) << "an exponent of 0 is black";
        EXPECT_EQ(grid.sourceType(), "rgbe");
    }
}

TEST(Hdr, HostileSizesAreRefused) {
    for (const char* size :
         {"-Y 0 +X 4", "-Y -1 +X 4", "-Y 99999999999 +X 1", "-Y 100000 +X 100000", "+Y 1 +X 1", ""}) {
        const auto text = std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n") + size + "\n" + std::string(64, 'x');
        EXPECT_TRUE(errorOf([&] { decode(text); })) << size;
    }
}

// stb_image takes a line that begins with a zero byte for the end of the header and then ran for ever (found by
// fuzzing).
TEST(Hdr, ALineOfZerosEndsTheHeader) {
    const auto text =
        std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\0x\n-Y 1 +X 10\n\x02\x02\x00\x0a", 52) + "\x87(\x03";
    EXPECT_TRUE(errorOf([&] { decode(text + std::string(100, '\0') + "\n\n-Y \n\n)"); }));
}

TEST(Pnm, SixteenBitsAreBigEndian) {
    const auto grid = decode(std::string("P5 2 1 65535\n\x12\x34\xff\xfe", 17));
    EXPECT_EQ(grid.type(), io::PixelType::u16);
    EXPECT_EQ(grid.value(0, 0), 0x1234);
    EXPECT_EQ(grid.value(1, 0), 0xfffe);
}

TEST(Pnm, EveryVariant) {
    EXPECT_EQ(decode("P2\n# a note\n2 1 255\n7\n250\n").value(1, 0), 250);
    EXPECT_EQ(decode("P3 1 1 255 1 2 3\n").value(0, 0, 0, 2), 3);
    EXPECT_EQ(decode("P6 1 1 255\nabc").value(0, 0, 0, 1), 'b');
    const auto bits = decode("P1 3 1 1 0 1");
    EXPECT_EQ(bits.value(0, 0), 0) << "1 is black";
    EXPECT_EQ(bits.value(1, 0), 255);
    const auto packed = decode(std::string("P4 9 1\n\x80\x80"));
    EXPECT_EQ(packed.value(0, 0), 0);
    EXPECT_EQ(packed.value(7, 0), 255);
    EXPECT_EQ(packed.value(8, 0), 0);
    const auto dim = decode("P5 1 1 100\nd");
    EXPECT_EQ(dim.value(0, 0), 100);
    EXPECT_EQ(dim.metadata.notes.size(), 1U) << "values are not stretched, and the note says so";
}

TEST(Pnm, HostileHeadersAreRefused) {
    for (const char* text : {"P5 0 1 255\nx", "P5 -1 1 255\nx", "P5 1 1 0\nx", "P5 1 1 65536\nxx", "P5 1 1 255", "P5 1",
                             "P5 99999999999999999999 1 255\nx", "P5 100000 100000 255\nx", "P2 2 1 255 1",
                             "P2 1 1 5 6", "P1 2 1 12", "P2 1 1 255 x", "P5 1 1 255x"}) {
        EXPECT_TRUE(errorOf([&] { decode(text); })) << text;
    }
    EXPECT_TRUE(refuses([] { decode("P5 2000000 1 255\nx"); }, Kind::limit, "limit"));
}

}  // namespace
}  // namespace warplens::test
