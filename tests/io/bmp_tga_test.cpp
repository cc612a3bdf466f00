// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/files.hpp"

#include <array>
#include <bit>

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
    EXPECT_TRUE(refuses([&] { decode(with(30, 1, 4)); }, Kind::unreadable, "run lengths of another depth"));
}

/// One way to write a BMP: the size of its header, and whether its colours lie as bit masks say.
struct BmpKind {
    std::uint64_t header, bits, compression;
};

std::uint64_t greyLevel(int i) { return static_cast<std::uint64_t>(i * 37 + 11) % 256; }

/// 5 x 3 pixels; pixel i is of colour i, or of entry i of the palette, which is grey.
Bytes bmpOf(const BmpKind& kind, const std::array<std::uint64_t, 4>& masks) {
    const bool old = kind.header == 12;
    Bytes head = old ? join({little(5, 2), little(3, 2), little(1, 2), little(kind.bits, 2)})
                     : join({little(5, 4), little(3, 4), little(1, 2), little(kind.bits, 2)});
    if (kind.header > 16)
        head = join({head, little(kind.compression, 4), little(0, 4), little(10000, 4), little(4000, 4), little(0, 8)});
    const bool inside = kind.header == 52 || kind.header == 56 || kind.header >= 108;
    if (inside || kind.compression == 3) {
        for (std::size_t i = 0; i < (kind.header == 40 || kind.header == 52 ? 3U : 4U); ++i)
            head = join({head, little(kind.compression == 3 ? masks[i] : 0, 4)});
    }
    const auto whole =
        static_cast<std::size_t>(kind.header) - 4 + (kind.header == 40 && kind.compression == 3 ? 12 : 0);
    head.resize(whole);
    Bytes palette;
    if (kind.bits <= 8) {
        for (int i = 0; i < 1 << kind.bits; ++i) {
            for (int c = 0; c < 3; ++c) palette.push_back(static_cast<std::byte>(greyLevel(i)));
            if (!old) palette.push_back(std::byte{0});
        }
    }
    Bytes rows;
    for (int y = 2; y >= 0; --y) {
        Bytes row;
        unsigned filled = 0;
        for (int x = 0; x < 5; ++x) {
            const auto i = static_cast<std::uint64_t>(y * 5 + x);
            if (kind.bits < 8) {
                if (filled % 8 == 0) row.push_back(std::byte{0});
                const auto index = i & ((1U << kind.bits) - 1);
                row.back() |= static_cast<std::byte>(index << (8 - kind.bits - filled % 8));
                filled += static_cast<unsigned>(kind.bits);
            } else if (kind.bits == 8) {
                row.push_back(static_cast<std::byte>(i));
            } else if (kind.bits == 24) {
                row = join({row, little(i, 1), little(i + 40, 1), little(i + 80, 1)});
            } else if (kind.bits == 32) {
                // As its masks say, which without any are those of blue, green, red.
                const auto place = [&](std::uint64_t value, std::uint64_t mask) {
                    return value << std::countr_zero(mask);
                };
                row = join({row, little(place(i, masks[2]) | place(i + 40, masks[1]) | place(i + 80, masks[0]), 4)});
            } else {
                row = join({row, little(i << 10 | (31 - i) << 5 | i, 2)});
            }
        }
        row.resize((row.size() + 3) / 4 * 4);
        rows = join({rows, row});
    }
    const auto offset = 14 + 4 + head.size() + palette.size();
    return join({bytesOf("BM"), little(offset + rows.size(), 4), little(0, 4), little(offset, 4),
                 little(kind.header, 4), head, palette, rows});
}

TEST(Bmp, EveryHeaderInEveryDepthIsTheSamePicture) {
    constexpr std::array<std::uint64_t, 4> kUsual{0xff0000, 0xff00, 0xff, 0};
    constexpr std::array<std::uint64_t, 4> kTurned{0xff, 0xff00, 0xff0000, 0};
    int files = 0;
    for (const std::uint64_t header : {12, 16, 40, 52, 56, 64, 108, 124}) {
        for (const std::uint64_t bits : {1, 4, 8, 16, 24, 32}) {
            for (const std::uint64_t compression : {0, 3}) {
                if (compression == 3 && (bits != 32 || header < 40 || header == 64)) continue;
                SCOPED_TRACE(std::to_string(header) + ' ' + std::to_string(bits) + ' ' + std::to_string(compression));
                const auto grid = decode(bmpOf({header, bits, compression}, compression == 3 ? kTurned : kUsual));
                ++files;
                ASSERT_EQ(grid.shape(), (io::Shape{5, 3, 1, bits <= 8 ? 1 : grid.shape().channels}));
                EXPECT_GE(grid.shape().channels, bits <= 8 ? 1 : 3);
                for (int i = 0; i < 15; ++i) {
                    const auto at = [&](int c) { return grid.value(i % 5, i / 5, 0, c); };
                    if (bits <= 8) {
                        EXPECT_EQ(at(0), greyLevel(i & ((1 << bits) - 1))) << i;
                    } else if (bits == 16) {
                        EXPECT_NEAR(at(0), i * 255 / 31.0, 1) << i;
                        EXPECT_NEAR(at(1), (31 - i) * 255 / 31.0, 1) << i;
                    } else {
                        EXPECT_EQ(at(0), i + 80) << i;
                        EXPECT_EQ(at(1), i + 40) << i;
                        EXPECT_EQ(at(2), i) << i;
                    }
                }
                EXPECT_NEAR(grid.geometry.spacing[0], header > 16 ? 0.1 : 1, 1e-12);
                EXPECT_NEAR(grid.geometry.spacing[1], header > 16 ? 0.25 : 1, 1e-12);
            }
        }
    }
    EXPECT_EQ(files, 8 * 6 + 5);
}

TEST(Bmp, TheFourthByteOf32BitsIsNoAlphaUnlessAMaskSaysSo) {
    for (const int last : {9, 0}) {
        const auto grid = decode(bmp(2, 1, 32, {}, bytes({1, 2, 3, 9, 4, 5, 6, last})));
        ASSERT_EQ(grid.shape().channels, 3);
        EXPECT_EQ(grid.value(0, 0, 0, 0), 3);
        EXPECT_EQ(grid.value(1, 0, 0, 2), 4);
        EXPECT_EQ(grid.metadata.notes.size(), last == 9 ? 0U : 1U) << "all alike it says nothing";
    }
    EXPECT_EQ(decode(bmpOf({108, 32, 3}, {0xff0000, 0xff00, 0xff, 0xff000000})).shape().channels, 4);
}

TEST(Bmp, SoundFilesOfOtherKindsAreNotCalledDamaged) {
    const auto with = [](std::uint64_t header, std::uint64_t compression, std::uint64_t red) {
        auto file = bmpOf({header, 32, 3}, {red, 0xff00, 0xff, 0});
        const auto field = little(compression, 4);
        std::copy(field.begin(), field.end(), file.begin() + 30);
        return [file] { decode(file); };
    };
    EXPECT_TRUE(refuses(with(64, 4, 0xff0000), Kind::unsupported, "RLE24"));
    EXPECT_TRUE(refuses(with(124, 4, 0xff0000), Kind::unsupported, "JPEG"));
    EXPECT_TRUE(refuses(with(124, 5, 0xff0000), Kind::unsupported, "PNG inside"));
    EXPECT_TRUE(refuses(with(108, 3, 0x3ff00000), Kind::unsupported, "10 bits of one colour"));
}

/// A picture of 6 x 3 whose grey values are 10 times their number in the palette, in run lengths.
Bytes bmpOfRuns(std::uint64_t bits, const Bytes& runs, int height = 3) {
    Bytes palette;
    for (int i = 0; i < 16; ++i) palette = join({palette, little(0x0a0a0aU * static_cast<unsigned>(i), 4)});
    auto file = bmp(6, height, bits, palette, runs);
    file[30] = static_cast<std::byte>(bits == 8 ? 1 : 2);
    return file;
}

TEST(Bmp, RunLengthsAreRead) {
    // From the bottom: a run and literals with a byte to fill up; a row left out; two pixels left out, then one.
    const auto eight = bytes({3, 7, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 0, 2, 2, 0, 1, 9, 0, 1});
    const auto four = bytes({3, 0x77, 0, 3, 0x12, 0x30, 0, 0, 0, 0, 0, 2, 2, 0, 1, 0x90, 0, 1});
    const int expected[] = {0, 0, 90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 70, 70, 70, 10, 20, 30};
    for (const auto& [bits, runs] : {std::pair{8, eight}, {4, four}}) {
        const auto grid = decode(bmpOfRuns(static_cast<std::uint64_t>(bits), runs));
        ASSERT_EQ(grid.shape(), (io::Shape{6, 3, 1, 1}));
        for (int i = 0; i < 18; ++i) EXPECT_EQ(grid.value(i % 6, i / 6), expected[i]) << bits << ' ' << i;
        for (std::size_t size = 0; size < runs.size(); ++size) {
            const Bytes cut(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(size));
            EXPECT_TRUE(refuses([&] { decode(bmpOfRuns(static_cast<std::uint64_t>(bits), cut)); }, Kind::unreadable,
                                "ends too early"))
                << size;
        }
        EXPECT_TRUE(refuses([&] { decode(bmpOfRuns(static_cast<std::uint64_t>(bits), runs, -3)); }, Kind::unreadable,
                            "from the top down"));
    }
    const auto alternating = decode(bmpOfRuns(4, bytes({5, 0x4b, 0, 0, 0, 5, 0x12, 0x34, 0x50, 0, 0, 1})));
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(alternating.value(i, 2), i % 2 == 0 ? 40 : 110);
        EXPECT_EQ(alternating.value(i, 1), 10 * (i + 1));
    }
    for (const auto& runs : {bytes({7, 1, 0, 1}), bytes({0, 2, 0, 3, 1, 1, 0, 1}), bytes({0, 2, 6, 0, 1, 1, 0, 1})})
        EXPECT_TRUE(refuses([&] { decode(bmpOfRuns(8, runs)); }, Kind::unreadable, "beyond its row"));
    EXPECT_TRUE(refuses([&] { decode(bmpOfRuns(8, bytes({0, 1}), 100'000)); }, Kind::unreadable, "too short"));
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
