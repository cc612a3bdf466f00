// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/volume_files.hpp"

#include <cmath>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

/// Nothing about it is a round number, an identity or symmetric.
io::Geometry obliqueGeometry() {
    const double a = 0.3;
    const double b = 1.1;
    io::Geometry g;
    g.spacing = {0.1, 1.0 / 3, 2.7000000000000002};
    g.origin = {-123.456789012345678, 1e-9, 98765.4321};
    g.direction = {std::cos(a),
                   -std::sin(a) * std::cos(b),
                   std::sin(a) * std::sin(b),
                   std::sin(a),
                   std::cos(a) * std::cos(b),
                   -std::cos(a) * std::sin(b),
                   0,
                   std::sin(b),
                   std::cos(b)};
    return g;
}

TEST(Volume, EveryFormatTypeAndShapeComesBackBitForBitWithItsGeometry) {
    const Folder folder;
    int kinds = 0;
    for (const char* format : {"nrrd", "mha", "tif", "npy"}) {
        const bool places = format[0] == 'n' ? format[1] == 'r' : format[0] == 'm';
        for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
            for (const int channels : {1, 3, 4}) {
                for (const auto& [w, h, d] : {std::array{1, 1, 1}, {5, 1, 1}, {3, 4, 2}, {17, 9, 5}, {1, 2, 31}}) {
                    for (const bool compress : {true, false}) {
                        auto grid = randomGrid({w, h, d, channels}, type);
                        if (places) grid.geometry = obliqueGeometry();
                        const auto path = (folder.path() / (std::string("v.") + format)).string();
                        io::Grid back;
                        if (std::string(format) == "npy") {
                            io::write(grid, path);
                            back = io::read(path);
                        } else {
                            back = decodeFile(
                                folder.write(std::string("v.") + format,
                                             io::codecs::encode(grid, format, "test", {.compress = compress})));
                        }
                        ASSERT_TRUE(sameValues(back, grid))
                            << format << ' ' << nameOf(type) << ' ' << channels << ' ' << w << 'x' << h << 'x' << d;
                        ASSERT_EQ(back.geometry, grid.geometry) << format;
                        EXPECT_TRUE(back.metadata.notes.empty()) << back.metadata.notes.front();
                        ++kinds;
                    }
                }
            }
        }
    }
    EXPECT_EQ(kinds, 4 * 3 * 3 * 5 * 2);
}

TEST(Volume, SignedSourcesStaySigned) {
    const Folder folder;
    for (const char* format : {"nrrd", "mha", "tif"}) {
        io::Grid grid({3, 1, 2, 1}, PixelType::f32);
        const float values[] = {-32768, -1, 0, 1, 255, 32767};
        std::copy(std::begin(values), std::end(values), grid.as<float>());
        grid.metadata.sourceType = "i16";
        const auto name = std::string("v.") + format;
        const auto back = decodeFile(folder.write(name, io::codecs::encode(grid, format, "x", {.compress = false})));
        EXPECT_TRUE(sameValues(back, grid)) << format;
        EXPECT_EQ(back.sourceType(), "i16") << format;
        grid.as<float>()[2] = 0.5F;
        EXPECT_EQ(decodeFile(folder.write(name, io::codecs::encode(grid, format, "x"))).sourceType(), "f32") << format;
    }
}

TEST(Volume, ThroughTheProcess) {
    const Folder folder;
    for (const char* format : {"nrrd", "mha", "tiff"}) {
        auto grid = randomGrid({200, 150, 7, 1}, PixelType::u16);
        if (format[0] != 't') grid.geometry = obliqueGeometry();
        const auto path = folder.path() / (std::string("v.") + format);
        for (const bool compress : {true, false}) {
            io::write(grid, path, {.encode = {.compress = compress}});
            const auto back = io::read(path.string());
            EXPECT_TRUE(sameValues(back, grid)) << format;
            EXPECT_EQ(back.geometry, grid.geometry);
            EXPECT_EQ(folder.entries(), 1U) << "no temporary file is left";
        }
        std::filesystem::remove(path);
    }
}

const char* const kNrrd =
    "NRRD0004\ntype: short\ndimension: 3\nsizes: 2 3 2\nspace: right-anterior-superior\n"
    "space directions: (0.5,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\n";

Bytes countedShorts(bool big = false) {
    Bytes values;
    for (int i = 0; i < 12; ++i) {
        auto bytes = little(static_cast<std::uint16_t>(100 * i - 600), 2);
        if (big) std::reverse(bytes.begin(), bytes.end());
        values.insert(values.end(), bytes.begin(), bytes.end());
    }
    return values;
}

void expectCountedShorts(const io::Grid& grid) {
    ASSERT_EQ(grid.shape(), (io::Shape{2, 3, 2, 1}));
    EXPECT_EQ(grid.sourceType(), "i16");
    for (int i = 0; i < 12; ++i) EXPECT_EQ(grid.as<float>()[i], 100 * i - 600);
}

TEST(Nrrd, EveryEncodingAttachedAndDetached) {
    const Folder folder;
    std::string text;
    std::string hex;
    for (int i = 0; i < 12; ++i) text += std::to_string(100 * i - 600) + (i % 5 == 4 ? "\n" : " ");
    for (const auto byte : countedShorts()) {
        constexpr const char* kDigits = "0123456789abcdef";
        hex += kDigits[std::to_integer<int>(byte) >> 4];
        hex += kDigits[std::to_integer<int>(byte) & 15];
    }
    const std::tuple<const char*, const char*, Bytes> encodings[] = {{"raw", "little", countedShorts()},
                                                                     {"raw", "big", countedShorts(true)},
                                                                     {"gzip", "big", gzipped(countedShorts(true))},
                                                                     {"ascii", "little", bytesOf(text)},
                                                                     {"hex", "little", bytesOf(hex)}};
    for (const auto& [encoding, endian, data] : encodings) {
        SCOPED_TRACE(std::string(encoding) + " " + endian);
        const auto head = std::string(kNrrd) + "endian: " + endian + "\nencoding: " + encoding + "\n";
        const auto attached = decodeFile(folder.write("a.nrrd", join({bytesOf(head + "\n"), data})));
        expectCountedShorts(attached);
        // To left-posterior-superior.
        EXPECT_EQ(attached.geometry.spacing, (std::array<double, 3>{0.5, 2, 3}));
        EXPECT_EQ(attached.geometry.origin, (std::array<double, 3>{-10, -20, 30}));
        EXPECT_EQ(attached.geometry.direction, (std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1}));
        folder.write("a b.data", data);
        expectCountedShorts(decodeFile(folder.write("a.nhdr", bytesOf(head + "data file: a b.data\n\n"))));
        expectCountedShorts(decodeFile(folder.write("b.nhdr", bytesOf(head + "data file: a b.data\n"))));
    }
    // One file a slice, by a list and by a pattern.
    const auto all = countedShorts();
    folder.write("s07.raw", std::span(all).first(12));
    folder.write("s08.raw", std::span(all).last(12));
    const auto head = std::string(kNrrd) + "endian: little\nencoding: raw\n";
    expectCountedShorts(io::read(folder.write("l.nhdr", bytesOf(head + "data file: LIST\ns07.raw\ns08.raw\n"))));
    expectCountedShorts(io::read(folder.write("p.nhdr", bytesOf(head + "data file: s%02d.raw 7 8 1\n"))));
}

TEST(Nrrd, WhatIsNotHandledIsSaid) {
    const Folder folder;
    const auto reading = [&](const std::string& rest) {
        return [&folder, rest] { decodeFile(folder.write("x.nrrd", bytesOf(rest))); };
    };
    const auto head = std::string(kNrrd) + "endian: little\n";
    EXPECT_TRUE(refuses(reading(head + "encoding: zrl\n\nx"), Kind::unsupported, "save it as raw or gzip"));
    EXPECT_TRUE(refuses(reading("NRRD0004\ntype: block\ndimension: 1\nsizes: 1\nencoding: raw\n\n1"), Kind::unsupported,
                        "block"));
    EXPECT_TRUE(refuses(reading(head + "encoding: raw\n\n123"), Kind::unreadable, "21 are missing"));
    EXPECT_TRUE(refuses(reading(head + "encoding: raw\n"), Kind::unreadable, "does not end"));
    EXPECT_TRUE(refuses(reading(head + "encoding: raw\nencoding: raw\n\n"), Kind::unreadable, "twice"));
    EXPECT_TRUE(refuses(reading("NRRD0004\ntype: uchar\ndimension: 2\nsizes: 99999999 99999999\nencoding: gzip\n\nx"),
                        Kind::limit));
    EXPECT_TRUE(refuses(reading("NRRD0004\ntype: uchar\ndimension: 2\nsizes: 10000 10000\nencoding: gzip\n\nx"),
                        Kind::unreadable, "at least"));
}

TEST(Nrrd, ADetachedHeaderNamesPlainFilesBesideItOnly) {
    const Folder folder;
    std::filesystem::create_directory(folder.path() / "in");
    const auto outside = folder.write("outside.raw", countedShorts());
    const auto head = std::string(kNrrd) + "endian: little\nencoding: raw\ndata file: ";
    std::filesystem::create_symlink(outside, folder.path() / "in" / "link.raw");
    std::filesystem::create_directory(folder.path() / "in" / "deep.raw");
    for (const std::string& name :
         {outside, std::string("../outside.raw"), std::string("./../outside.raw"), std::string(".."),
          std::string("link.raw"), std::string("deep.raw"), std::string("missing.raw"),
          std::string("../outsid%d.raw 1 2 1"), std::string("LIST\n../outside.raw")}) {
        const auto header = folder.write("in/x.nhdr", bytesOf(head + name + "\n"));
        for (const auto& error : {errorOf([&] { decodeFile(header); }), errorOf([&] { io::read(header); })}) {
            ASSERT_TRUE(error) << name;
            EXPECT_TRUE(error->kind() == Kind::unsupported || error->kind() == Kind::unreadable) << error->what();
        }
        const auto meta = folder.write("in/x.mhd", bytesOf("NDims = 2\nDimSize = 2 2\nElementType = MET_UCHAR\n"
                                                           "ElementDataFile = " +
                                                           name + "\n"));
        EXPECT_TRUE(errorOf([&] { decodeFile(meta); })) << name;
    }
}

TEST(Nrrd, OurGeometryCountsOnlyWhileNobodyChangedTheRest) {
    const Folder folder;
    auto grid = randomGrid({2, 2, 2, 1}, PixelType::u8);
    grid.geometry = obliqueGeometry();
    auto bytes = io::codecs::encode(grid, "nrrd", "x", {.compress = false});
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto at = text.find("space origin: (");
    text.replace(at + 15, text.find(',', at) - at - 15, "7");
    EXPECT_EQ(decodeFile(folder.write("x.nrrd", bytesOf(text))).geometry.origin[0], 7);
}

TEST(MetaImage, DetachedAndBigEndianAndText) {
    const Folder folder;
    const std::string head =
        "ObjectType = Image\nNDims = 3\nDimSize = 2 3 2\nElementSpacing = 0.5 2 3\nElementType = MET_SHORT\n";
    folder.write("x.raw", countedShorts());
    expectCountedShorts(io::read(folder.write("x.mhd", bytesOf(head + "ElementDataFile = x.raw\n"))));
    folder.write("y.raw", countedShorts(true));
    expectCountedShorts(
        decodeFile(folder.write("y.mhd", bytesOf(head + "BinaryDataByteOrderMSB = True\nElementDataFile = y.raw\n"))));
    const auto all = countedShorts();
    folder.write("s1.raw", std::span(all).first(12));
    folder.write("s2.raw", std::span(all).last(12));
    expectCountedShorts(decodeFile(folder.write("l.mhd", bytesOf(head + "ElementDataFile = LIST\ns1.raw\ns2.raw\n"))));
    expectCountedShorts(decodeFile(folder.write("p.mhd", bytesOf(head + "ElementDataFile = s%d.raw 1 2 1\n"))));
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("s.mha", bytesOf(head + "ElementDataFile = LOCAL\n123"))); },
                        Kind::unreadable, "21 are missing"));
    for (const char* bad :
         {"NDims = 2\nDimSize = 2 2 2\n", "NDims = 12\nDimSize = 2 2\n", "NDims = 2\nDimSize = 2 0\n",
          "NDims = 2\nDimSize = 2 2\nOffset = 1\n", "NDims = 2\nDimSize = 2 2\nElementSpacing = nan 1\n",
          "NDims = 2\nDimSize = 2 2\nTransformMatrix = 1 0 0 1 0\n"}) {
        EXPECT_TRUE(errorOf([&] {
            decodeFile(folder.write(
                "b.mha", bytesOf(std::string(bad) + "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n12345678")));
        })) << bad;
    }
}

TEST(Volume, EveryStoredTypeIsReadOrSaysWhatItLost) {
    const Folder folder;
    const auto read = [&](const char* type, const Bytes& values) {
        const auto head =
            std::string("NRRD0004\ntype: ") + type + "\ndimension: 2\nsizes: 2 1\nendian: little\nencoding: raw\n\n";
        return decodeFile(folder.write("t.nrrd", join({bytesOf(head), values})));
    };
    const auto real = [](double value) { return little(std::bit_cast<std::uint64_t>(value), 8); };
    const std::tuple<const char*, const char*, Bytes, double, double, int> kinds[] = {
        {"signed char", "i8", join({little(0x80, 1), little(127, 1)}), -128, 127, 0},
        {"longlong", "i64", join({little(~0ULL, 8), little(1ULL << 40, 8)}), -1, 0x1p40, 0},
        {"ulonglong", "u64", join({little(~0ULL, 8), little(3, 8)}), 0x1p64, 3, 1},
        {"double", "f64", join({real(0.5), real(-1e30)}), 0.5, -1e30F, 1},
    };
    for (const auto& [type, ours, values, first, second, notes] : kinds) {
        const auto grid = read(type, values);
        EXPECT_EQ(grid.sourceType(), ours);
        EXPECT_EQ(grid.type(), PixelType::f32);
        EXPECT_EQ(grid.as<float>()[0], first) << type;
        EXPECT_EQ(grid.as<float>()[1], second) << type;
        EXPECT_EQ(grid.metadata.notes.size(), static_cast<std::size_t>(notes)) << type;
    }
    EXPECT_TRUE(std::isnan(read("double", join({real(std::nan("")), real(HUGE_VAL)})).as<float>()[0]));
    EXPECT_TRUE(refuses([&] { read("double", join({real(1e300), real(0)})); }, Kind::unsupported, "range of f32"));
}

}  // namespace
}  // namespace warplens::test
