// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/files.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

Bytes npy(const std::string& dictionary, const Bytes& values, char version = 1) {
    Bytes preamble = bytesOf("\x93NUMPY");
    preamble.push_back(static_cast<std::byte>(version));
    preamble.push_back(std::byte{0});
    return join({preamble, little(dictionary.size(), version == 1 ? 2 : 4), bytesOf(dictionary), values});
}

std::string dictionary(const std::string& dtype, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }\n";
}

io::Grid decode(const Bytes& file, const std::string& axes = "") {
    io::ReadOptions options;
    options.axes = axes;
    return io::decodeNpy(file, options, "test.npy");
}

TEST(Npy, EveryTypeChannelsAndDepthComeBackBitForBit) {
    const Folder folder;
    const auto path = folder.path() / "x.npy";
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32, PixelType::u32, PixelType::i32}) {
        for (const int channels : {1, 3, 4}) {
            for (const int depth : {1, 2, 5}) {
                for (const int width : {1, 2, 3, 4, 7}) {
                    const auto grid = randomGrid({width, 6, depth, channels}, type);
                    io::write(grid, path);
                    EXPECT_TRUE(sameValues(io::read(path), grid)) << width << ' ' << depth << ' ' << channels;
                }
            }
        }
    }
}

TEST(Npy, AVolumeOfWidthThreeIsWrittenWithFourAxes) {
    Bytes bytes = io::encode(randomGrid({3, 2, 5, 1}, PixelType::u8), "npy");
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    EXPECT_NE(text.find("'shape': (5, 2, 3, 1), }"), std::string::npos) << text;
    EXPECT_EQ((bytes.size() - 30) % 64, 0U) << "the header is padded as numpy does";
}

TEST(Npy, AxesFollowTheLastExtentUnlessSaid) {
    const Bytes values(24);
    EXPECT_EQ(decode(npy(dictionary("|u1", "(4, 6)"), values)).shape(), (io::Shape{6, 4, 1, 1}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 4, 3)"), values)).shape(), (io::Shape{4, 2, 1, 3}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 3, 4)"), values)).shape(), (io::Shape{3, 2, 1, 4}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 2, 6)"), values)).shape(), (io::Shape{6, 2, 2, 1}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 4, 3)"), values), "zyx").shape(), (io::Shape{3, 4, 2, 1}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 12, 1)"), values), "yxc").shape(), (io::Shape{12, 2, 1, 1}));
    EXPECT_EQ(decode(npy(dictionary("|u1", "(2, 2, 2, 3)"), values)).shape(), (io::Shape{2, 2, 2, 3}));
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(4, 6)"), values), "zyx"); }, Kind::argument, "axes"));
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(4, 6)"), values), "xy"); }, Kind::argument, "choose"));
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(24,)"), values)); }, Kind::unsupported, "reshape"));
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(1, 1, 1, 4, 6)"), values)); }, Kind::unsupported));
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(2, 6, 2)"), values), "yxc"); }, Kind::unsupported));
}

TEST(Npy, EveryVersionIsRead) {
    for (const char version : {'\1', '\2', '\3'}) {
        const auto grid =
            decode(npy(dictionary(">u2", "(1, 2)"), {std::byte{1}, std::byte{2}, {}, std::byte{3}}, version));
        EXPECT_EQ(grid.value(0, 0), 0x102);
        EXPECT_EQ(grid.value(1, 0), 3);
    }
}

/// A value of every dtype, no two alike, whose bytes turned around are another one; and those bytes, highest first.
struct Sample {
    double value = 0;
    Bytes bytes;
};
Sample sample(const std::string& kind, std::size_t i) {
    const auto high = static_cast<std::uint32_t>(i >> 8 & 0x3f);
    const auto low = static_cast<std::uint32_t>(i & 0xff);
    const auto bytes = [](std::initializer_list<std::uint32_t> list) {
        Bytes all;
        for (const auto byte : list) all.push_back(static_cast<std::byte>(byte));
        return all;
    };
    if (kind == "u1") return {static_cast<double>(low), bytes({low})};
    if (kind == "i1") return {static_cast<double>(low < 128 ? low : low - 256.0), bytes({low})};
    if (kind == "b1") return {static_cast<double>(low & 1), bytes({(low & 1) * low})};  // all but 0 is true
    const auto word = (0x40U + high) << 8 | low;
    if (kind == "u2") return {static_cast<double>(word + 0x8000), bytes({0xc0 + high, low})};
    if (kind == "i2") return {static_cast<double>(word) - 0x8000, bytes({0xc0 + high, low})};
    // In the upper half of the bits, as a float holds 24 of them.
    if (kind == "u8") return {65536.0 * 65536.0 * word, bytes({0, 0, word >> 8, low, 0, 0, 0, 0})};
    if (kind == "i8") {
        return {65536.0 * 65536.0 * 65536.0 * (static_cast<double>(word) - 32768),
                bytes({0x80 + (word >> 8), low, 0, 0, 0, 0, 0, 0})};
    }
    // Sign and exponent 0x5c stand for 2^8; 10 bits of fraction follow.
    if (kind == "f2") return {256.0 + static_cast<double>(i & 0x3ff) / 4.0, bytes({0x5c + (high & 3), low})};
    // Sign and exponent 0x40f stand for 2^16; 52 bits of fraction follow.
    const auto upper = word - 0x4000;
    if (kind == "f8") {
        return {65536.0 + 4.0 * upper,
                bytes({0x40, 0xf0 | upper >> 10, upper >> 2 & 0xff, (upper & 3) << 6, 0, 0, 0, 0})};
    }
    if (kind == "u4") return {2147483648.0 + 65536.0 * word + low, bytes({0x80 + (word >> 8), word & 0xff, 0, low})};
    if (kind == "i4") return {65536.0 * word + low - 2147483648.0, bytes({0x80 + (word >> 8), word & 0xff, 0, low})};
    // Sign and exponent 0x478 stand for 2^16; 23 bits of fraction follow.
    const auto fraction = word << 8;
    return {65536.0 + 2.0 * word, bytes({0x47, 0x80 | fraction >> 16, fraction >> 8 & 0xff, fraction & 0xff})};
}

/// As numpy lays an array out: the position of value (z, y, x, c) among those of extents d, h, w, channels.
std::size_t placeOf(const std::array<std::int64_t, 4>& at, const std::array<std::int64_t, 4>& extents, bool fortran) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto axis = fortran ? 3 - i : i;
        place = place * extents[axis] + at[axis];
    }
    return static_cast<std::size_t>(place);
}

/// An array of this dtype and layout, written by hand, comes out value by value.
void checkLayout(const std::string& dtype, const std::string& axes, const std::array<std::int64_t, 4>& extents,
                 bool fortran) {
    const auto kind = dtype.substr(1);
    const bool big = dtype[0] == '>';
    const auto count = static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * extents[3]);
    Bytes values;
    for (std::size_t i = 0; i < count; ++i) {
        auto bytes = sample(kind, i).bytes;
        if (!big) std::reverse(bytes.begin(), bytes.end());
        values.insert(values.end(), bytes.begin(), bytes.end());
    }
    std::string shape;
    for (const char axis : axes) shape += std::to_string(extents[std::string("zyxc").find(axis)]) + ", ";
    const auto grid = decode(npy(dictionary(dtype, "(" + shape + ")", fortran), values), axes);
    ASSERT_EQ(grid.shape(), (io::Shape{extents[2], extents[1], extents[0], static_cast<int>(extents[3])}));
    ASSERT_EQ(grid.type(), kind == "u1"   ? PixelType::u8
                           : kind == "b1" ? PixelType::u8
                           : kind == "u2" ? PixelType::u16
                           : kind == "u4" ? PixelType::u32
                           : kind == "i4" ? PixelType::i32
                                          : PixelType::f32);
    ASSERT_EQ(grid.sourceType(), kind == "b1" ? "bool" : kind[0] + std::to_string(8 * (kind[1] - '0')));
    std::size_t wrong = 0;
    for (std::int64_t z = 0; z < extents[0]; ++z) {
        for (std::int64_t y = 0; y < extents[1]; ++y) {
            for (std::int64_t x = 0; x < extents[2]; ++x) {
                for (std::int64_t c = 0; c < extents[3]; ++c) {
                    const auto expected = sample(kind, placeOf({z, y, x, c}, extents, fortran)).value;
                    wrong += grid.value(x, y, z, static_cast<int>(c)) != expected;
                }
            }
        }
    }
    EXPECT_EQ(wrong, 0U) << dtype << ' ' << axes << (fortran ? " fortran" : " C");
}

TEST(Npy, EveryTypeInEitherByteOrderAndEitherArrayOrderIsReadByteByByte) {
    int layouts = 0;
    for (const char* dtype : {"|u1", "<u1", ">u1", "=u1", "<u2", ">u2", "=u2", "<i2", ">i2", "=i2", "<f4", ">f4",
                              "=f4", "<u4", ">u4", "=u4", "<i4", ">i4", "=i4", "|b1", "|i1", "<i1", "<u8", ">u8",
                              "=u8", "<i8", ">i8", "=i8", "<f2", ">f2", "=f2", "<f8", ">f8", "=f8"}) {
        for (const bool fortran : {false, true}) {
            checkLayout(dtype, "yx", {1, 7, 11, 1}, fortran);
            checkLayout(dtype, "yxc", {1, 5, 6, 3}, fortran);
            checkLayout(dtype, "zyx", {3, 5, 7, 1}, fortran);
            checkLayout(dtype, "zyxc", {3, 5, 2, 4}, fortran);
            layouts += 4;
        }
    }
    EXPECT_EQ(layouts, 34 * 2 * 4);
}

TEST(Npy, AnArrayOfSeveralPiecesIsReadByteByByte) {
    // Just above the 2^20 values that are read at once.
    checkLayout(">u2", "yx", {1, 1023, 1027, 1}, true);
    checkLayout(">i2", "yx", {1, 1023, 1027, 1}, false);
    checkLayout("<f8", "yx", {1, 1023, 1027, 1}, true);
}

TEST(Npy, SignedValuesAreFloatsAndGoBackAsSigned) {
    const auto file = npy(dictionary("<i2", "(1, 3)"), join({little(0x8000, 2), little(0xffff, 2), little(0x7fff, 2)}));
    auto grid = decode(file);
    EXPECT_EQ(grid.type(), PixelType::f32);
    EXPECT_EQ(grid.sourceType(), "i16");
    EXPECT_EQ(grid.value(0, 0), -32768);
    EXPECT_EQ(grid.value(1, 0), -1);
    EXPECT_EQ(grid.value(2, 0), 32767);
    const auto written = io::encode(grid, "npy");
    EXPECT_TRUE(std::equal(file.end() - 6, file.end(), written.end() - 6));
    EXPECT_TRUE(sameValues(decode(written), grid));
    for (const float no : {0.5F, 32768.0F, std::numeric_limits<float>::quiet_NaN()}) {
        grid.as<float>()[0] = no;
        EXPECT_TRUE(sameValues(decode(io::encode(grid, "npy")), grid)) << "stays f32 for " << no;
    }
}

TEST(Npy, OtherDtypesAreRefusedByName) {
    for (const char* dtype : {"<f1", "|b2", "|u4", "<c8", "<c16", "<f16", "|O", "<U4", "<M8[ns]", "", "|u2"}) {
        EXPECT_TRUE(refuses([&] { decode(npy(dictionary(dtype, "(4, 4)"), Bytes(256))); }, Kind::unsupported, dtype));
    }
    EXPECT_TRUE(
        refuses([] { decode(npy("{'descr': [('r', '<f4')], 'fortran_order': False, 'shape': (1,)}", Bytes(4))); },
                Kind::unsupported, "structured"));
}

TEST(Npy, WhatNoFloatHoldsIsRoundedAndCounted) {
    const auto real = [](double value) { return little(std::bit_cast<std::uint64_t>(value), 8); };
    const auto grid = decode(npy(dictionary("<f8", "(1, 4)"), join({real(0.1), real(0.5), real(1e-300), real(NAN)})));
    EXPECT_EQ(grid.value(0, 0), static_cast<double>(0.1F));
    EXPECT_EQ(grid.value(2, 0), 0);
    EXPECT_TRUE(std::isnan(grid.value(3, 0)));
    ASSERT_EQ(grid.metadata.notes.size(), 1U);
    EXPECT_EQ(grid.metadata.notes[0], "2 of 4 f64 values were rounded to f32");
    const auto whole = decode(npy(dictionary("<i8", "(1, 2)"), join({little(16777217, 8), little(~0ULL, 8)})));
    EXPECT_EQ(whole.value(0, 0), 16777216);
    EXPECT_EQ(whole.value(1, 0), -1);
    EXPECT_EQ(whole.metadata.notes.size(), 1U);
    EXPECT_TRUE(refuses(
        [&] {
            decode(npy(dictionary("<f8", "(1, 2)"), join({real(1e300), real(0)})));
        },
        Kind::unsupported, "beyond the range of f32"));
    EXPECT_TRUE(std::isinf(decode(npy(dictionary("<f8", "(1, 2)"), join({real(HUGE_VAL), real(0)}))).value(0, 0)));
}

TEST(Npy, EveryHalfIsTheFloatOfItsBits) {
    Bytes values;
    for (unsigned i = 0; i < 65536; ++i) {
        for (const auto byte : {i & 0xff, i >> 8}) values.push_back(static_cast<std::byte>(byte));
    }
    const auto grid = decode(npy(dictionary("<f2", "(256, 256)"), values));
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) {
        const int exponent = i >> 10 & 31;
        const double fraction = i & 1023;
        const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                                 : exponent == 31 ? (fraction == 0 ? HUGE_VAL : NAN)
                                                  : std::ldexp(1024 + fraction, exponent - 25);
        const double expected = std::copysign(magnitude, i < 32768 ? 1 : -1);
        const double found = grid.as<float>()[i];
        wrong += std::isnan(expected) ? !std::isnan(found)
                                      : found != expected || std::signbit(found) != std::signbit(expected);
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(grid.metadata.notes.empty());
}

TEST(Npy, HostileHeadersAreRefused) {
    const Bytes values(16);
    for (const char* shape : {"(0, 4)", "(-1, 4)", "(4, -4)"}) {
        EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", shape), values)); }, Kind::unreadable)) << shape;
    }
    EXPECT_TRUE(refuses([&] { decode(npy(dictionary("|u1", "(9223372036854775807, 9223372036854775807)"), values)); },
                        Kind::limit, "limit"));
    EXPECT_TRUE(
        refuses([&] { decode(npy(dictionary("<f4", "(40000, 40000)"), values)); }, Kind::unreadable, "truncated"));
    EXPECT_TRUE(
        refuses([&] { decode(npy(dictionary("|u1", "(99999999999999999999, 1)"), values)); }, Kind::unreadable));
    for (const char* text : {"", "{", "{}", "[]", "{'descr': '|u1'}", "{'descr': '|u1', 'descr': '|u1'}",
                             "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (4, 4)}",
                             "{'descr': '|u1', 'fortran_order': False, 'shape': (4, 4)} x",
                             "{'descr': '|u1', 'fortran_order': False, 'shape': (4 4)}"}) {
        EXPECT_TRUE(refuses([&] { decode(npy(text, values)); }, Kind::unreadable)) << text;
    }
}

TEST(Npy, EveryPrefixIsAnError) {
    const auto file = io::encode(randomGrid({5, 4, 1, 3}, PixelType::u16), "npy");
    for (std::size_t size = 0; size < file.size(); ++size) {
        EXPECT_TRUE(errorOf([&] { decode(Bytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size))); }))
            << size;
    }
    const auto longer = join({file, Bytes(3)});
    EXPECT_EQ(decode(longer).metadata.notes.size(), 1U);
}

TEST(Npy, ReadingFromAFileFindsAFileThatIsTooShort) {
    const Folder folder;
    const auto file = io::encode(randomGrid({50, 40, 1, 1}, PixelType::f32), "npy");
    const auto path = folder.write("short.npy", std::span(file).first(file.size() - 1));
    EXPECT_TRUE(refuses([&] { io::read(path); }, Kind::unreadable, "truncated"));
    EXPECT_TRUE(refuses([&] { io::read(folder.path()); }, Kind::unreadable, "folder"));
    EXPECT_TRUE(refuses([&] { io::read((folder.path() / "none.npy").string()); }, Kind::unreadable, "none.npy"));
    EXPECT_TRUE(refuses([&] { io::read(folder.write("empty", {})); }, Kind::unreadable, "empty"));
    io::ReadOptions small;
    small.limits.pixels = 100;
    EXPECT_TRUE(refuses([&] { io::read(folder.write("x.npy", file), small); }, Kind::limit, "100"));
}

}  // namespace
}  // namespace warplens::test
