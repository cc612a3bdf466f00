// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/files.hpp"

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

Bytes bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values) out.push_back(static_cast<std::byte>(value));
    return out;
}

Bytes bmp(int width, int height, std::uint64_t bits, const Bytes& table, const Bytes& rows) {
    const auto offset = 54 + table.size();
    return join({bytesOf("BM"), little(offset + rows.size(), 4), little(0, 4), little(offset, 4), little(40, 4),
                 little(static_cast<std::uint64_t>(width), 4), little(static_cast<std::uint64_t>(height), 4),
                 little(1, 2), little(bits, 2), little(0, 24), table, rows});
}

Bytes tga(std::uint64_t kind, std::uint64_t width, std::uint64_t height, std::uint64_t bits, std::uint64_t flags,
          const Bytes& rest) {
    return join({little(0, 2), little(kind, 1), little(0, 9), little(width, 2), little(height, 2), little(bits, 1),
                 little(flags, 1), rest});
}

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test"); }

TEST(Bmp, RowsAreBottomUpUnlessTheHeightIsNegative) {
    const auto rows = bytes({1, 2, 3, 0, 4, 5, 6, 0});
    const auto up = decode(bmp(1, 2, 24, {}, rows));
    EXPECT_EQ(up.shape(), (io::Shape{1, 2, 1, 3}));
    EXPECT_EQ(up.value(0, 0, 0, 0), 6) << "blue comes first in the file";
    EXPECT_EQ(up.value(0, 1, 0, 0), 3);
    EXPECT_EQ(decode(bmp(1, -2, 24, {}, rows)).value(0, 0, 0, 0), 3);
}

TEST(Bmp, GreyPalettesGiveGreyAndOthersColour) {
    const auto grey = decode(bmp(2, 1, 8, bytes({9, 9, 9, 0, 80, 80, 80, 0}), bytes({1, 0, 0, 0})));
    EXPECT_EQ(grey.shape().channels, 1);
    EXPECT_EQ(grey.value(0, 0), 80);
    const auto colour = decode(bmp(2, 1, 8, bytes({9, 9, 9, 0, 80, 70, 60, 0}), bytes({1, 0, 0, 0})));
    EXPECT_EQ(colour.shape().channels, 3);
    EXPECT_EQ(colour.value(0, 0, 0, 0), 60);
}

TEST(Bmp, HostileHeadersAreRefused) {
    const auto good = bmp(2, 2, 24, {}, Bytes(16));
    const auto with = [&](std::size_t at, std::uint64_t value, std::size_t size) {
        auto file = good;
        const auto field = little(value, size);
        std::copy(field.begin(), field.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
        return file;
    };
    for (const std::uint64_t width : {0ULL, 0xffffffffULL, 0x80000000ULL, 0x7fffffffULL, 1000000ULL}) {
        EXPECT_TRUE(errorOf([&] { decode(with(18, width, 4)); })) << "width " << width;
        EXPECT_TRUE(errorOf([&] { decode(with(22, width == 0xffffffff ? 0 : width, 4)); })) << "height " << width;
    }
    for (const std::uint64_t bits : {0, 2, 3, 7, 64, 65535})
        EXPECT_TRUE(errorOf([&] { decode(with(28, bits, 2)); })) << bits;
    for (const std::uint64_t place : {0ULL, 13ULL, 0xffffffffULL})
        EXPECT_TRUE(errorOf([&] { decode(with(10, place, 4)); }));
    EXPECT_TRUE(refuses([&] { decode(with(30, 1, 4)); }, Kind::unsupported, "compressed"));
}

TEST(Tga, KindsAndDirections) {
    const auto colour = decode(tga(2, 1, 2, 24, 0, bytes({1, 2, 3, 4, 5, 6})));
    EXPECT_EQ(colour.value(0, 0, 0, 0), 6) << "bottom up, blue first";
    EXPECT_EQ(decode(tga(2, 1, 2, 24, 0x20, bytes({1, 2, 3, 4, 5, 6}))).value(0, 0, 0, 0), 3);
    const auto mirrored = decode(tga(3, 3, 1, 8, 0x30, bytes({1, 2, 3})));
    EXPECT_EQ(mirrored.value(0, 0), 3);
    EXPECT_EQ(mirrored.value(2, 0), 1);
    const auto packed = decode(tga(10, 3, 1, 32, 0x28, bytes({0x81, 1, 2, 3, 4, 0x00, 5, 6, 7, 8})));
    EXPECT_EQ(packed.shape(), (io::Shape{3, 1, 1, 4}));
    EXPECT_EQ(packed.value(1, 0, 0, 2), 1);
    EXPECT_EQ(packed.value(2, 0, 0, 3), 8);
    const auto greyAlpha = decode(tga(3, 1, 1, 16, 0x28, bytes({7, 9})));
    EXPECT_EQ(greyAlpha.shape().channels, 4);
    EXPECT_EQ(greyAlpha.value(0, 0, 0, 3), 9);
}

TEST(Tga, PalettesFromZero) {
    const auto file = join({bytes({0, 1, 1}), little(0, 2), little(2, 2), little(24, 1), little(0, 4), little(2, 2),
                            little(1, 2), little(8, 1), little(0x20, 1), bytes({1, 2, 3, 4, 5, 6}), bytes({1, 0})});
    EXPECT_EQ(decode(file).value(0, 0, 0, 0), 6);
    auto shifted = file;
    shifted[3] = std::byte{1};
    EXPECT_TRUE(refuses([&] { decode(shifted); }, Kind::unsupported, "palette"));
}

}  // namespace
}  // namespace warplens::test
