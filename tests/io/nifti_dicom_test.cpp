// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/dicom_folder.hpp"
#include "io/read.hpp"
#include "tests/io/support/volume_files.hpp"

#include <cmath>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

Bytes shorts(int first, int count, bool big = false) {
    Bytes values;
    for (int i = 0; i < count; ++i) {
        auto bytes = little(static_cast<std::uint16_t>(first + i), 2);
        if (big) std::reverse(bytes.begin(), bytes.end());
        values.insert(values.end(), bytes.begin(), bytes.end());
    }
    return values;
}

TEST(Nifti, PlainAndGzipInEitherByteOrderWithItsAffine) {
    const Folder folder;
    for (const bool big : {false, true}) {
        for (const bool packed : {false, true}) {
            NiftiOptions o{.sizes = {2, 3, 2}, .code = 4, .bits = 16};
            o.bigEndian = big;
            // RAS to file: x along -left.. with spacings 0.5, 2, 3.
            o.affine = {-0.5F, 0, 0, 10, 0, 2, 0, 20, 0, 0, 3, 30};
            const auto file = makeNifti(o, shorts(-6, 12, big));
            const auto grid =
                decodeFile(packed ? folder.write("v.nii.gz", gzipped(file)) : folder.write("v.nii", file));
            ASSERT_EQ(grid.shape(), (io::Shape{2, 3, 2, 1}));
            EXPECT_EQ(grid.sourceType(), "i16");
            for (int i = 0; i < 12; ++i) EXPECT_EQ(grid.as<float>()[i], i - 6);
            EXPECT_EQ(grid.geometry.spacing, (std::array<double, 3>{0.5, 2, 3}));
            EXPECT_EQ(grid.geometry.origin, (std::array<double, 3>{-10, -20, 30}));
            EXPECT_EQ(grid.geometry.direction, (std::array<double, 9>{1, 0, 0, 0, -1, 0, 0, 0, 1}));
        }
    }
}

TEST(Nifti, SlopeAndInterceptAndFramesTogether) {
    const Folder folder;
    for (const float slope : {0.0F, 1.0F, 0.25F}) {
        for (const float intercept : {0.0F, -3.0F}) {
            NiftiOptions o{.sizes = {3, 2, 2, 5}, .code = 4, .bits = 16, .slope = slope, .intercept = intercept};
            const auto path = folder.write("v.nii", makeNifti(o, shorts(-30, 60)));
            const bool scaled = slope != 0 && (slope != 1 || intercept != 0);
            for (int frame = 0; frame <= 5; ++frame) {
                const auto grid = decodeFile(path, frame);
                ASSERT_EQ(grid.shape(), (io::Shape{3, 2, 2, 1}));
                EXPECT_EQ(grid.metadata.pages, 5);
                EXPECT_EQ(grid.metadata.page, std::max(frame, 1));
                EXPECT_EQ(grid.sourceType(), "i16");
                EXPECT_EQ(grid.metadata.notes.size(), scaled ? 2U : 1U);
                for (int i = 0; i < 12; ++i) {
                    const double stored = -30 + 12 * (std::max(frame, 1) - 1) + i;
                    EXPECT_EQ(grid.as<float>()[i], scaled ? stored * slope + intercept : stored) << frame;
                }
            }
            EXPECT_TRUE(refuses([&] { decodeFile(path, 6); }, Kind::argument, "choose 1 to 5"));
        }
    }
}

TEST(Nifti, TheFileThatIsNamedIsReadAndNotANumberStaysNone) {
    const Folder folder;
    // A library that drops the .gz would read this one.
    folder.write("v.nii", makeNifti({.sizes = {2, 2}}, Bytes(4, std::byte{1})));
    const auto packed = folder.write("v.nii.gz", gzipped(makeNifti({.sizes = {2, 2}}, Bytes(4, std::byte{2}))));
    EXPECT_EQ(decodeFile(packed).value(1, 1), 2);
    EXPECT_EQ(io::read(packed).value(1, 1), 2);
    const Bytes values = join({little(0x7fc00001, 4), little(0xff800000, 4), little(0x3f800000, 4)});
    const auto reals = decodeFile(folder.write("f.nii", makeNifti({.sizes = {3, 1}, .code = 16, .bits = 32}, values)));
    EXPECT_TRUE(std::equal(values.begin(), values.end(), reals.data()));
}

TEST(Nifti, AShearedDirectionIsWrittenAndReadBackAsItIs) {
    const Folder folder;
    // Columns of length 1 that stand on each other (the first), and that do not.
    const std::array<std::array<double, 9>, 4> directions{{{0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1},
                                                           {1, 0.6, 0, 0, 0.8, 0, 0, 0, 1},
                                                           {1, 0, 0.28, 0, 1, 0, 0, 0, -0.96},
                                                           {0.8, 0.6, -0.6, 0, 0.8, 0, 0.6, 0, 0.8}}};
    for (const auto& direction : directions) {
        io::Grid grid({4, 3, 2, 1}, PixelType::u8);
        std::fill_n(grid.as<std::uint8_t>(), 24, std::uint8_t{7});
        grid.geometry = {{0.5, 2, 3.25}, {-10.5, 20, 1000}, direction};
        const auto file = io::codecs::encode(grid, "nii", "x");
        for (const bool packed : {false, true}) {
            const auto back =
                decodeFile(packed ? folder.write("s.nii.gz", gzipped(file)) : folder.write("s.nii", file));
            EXPECT_TRUE(back.metadata.notes.empty()) << back.metadata.notes.front();
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_NEAR(back.geometry.spacing[i], grid.geometry.spacing[i], 1e-6);
                EXPECT_EQ(back.geometry.origin[i], grid.geometry.origin[i]);
            }
            for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(back.geometry.direction[i], direction[i], 1e-6) << i;
        }
        // A qform beside it, which is that of no rotation, is left aside, and that is said.
        auto both = file;
        both[252] = std::byte{1};
        const auto back = decodeFile(folder.write("q.nii", both));
        EXPECT_EQ(back.geometry, decodeFile(folder.write("s.nii", file)).geometry);
        ASSERT_EQ(back.metadata.notes.size(), 1U);
        EXPECT_NE(back.metadata.notes.front().find("sform"), std::string::npos);
    }
    // In other units, which the file names.
    NiftiOptions skew{.sizes = {2, 2, 2}};
    skew.affine = {1, 0.75F, 0, 10, 0, 1, 0, 20, 0, 0, 2, 30};
    for (const auto& [unit, mm] : {std::pair{1, 1000.0}, {2, 1.0}, {3, 0.001}}) {
        auto file = makeNifti(skew, Bytes(8));
        file[123] = static_cast<std::byte>(unit);
        const auto grid = decodeFile(folder.write("u.nii", file));
        EXPECT_TRUE(grid.metadata.notes.empty());
        EXPECT_NEAR(grid.geometry.spacing[1], 1.25 * mm, 1e-9 * mm);
        EXPECT_NEAR(grid.geometry.origin[2], 30 * mm, 1e-9 * mm);
        EXPECT_NEAR(grid.geometry.direction[1], -0.6, 1e-7);
    }
}

TEST(Nifti, SeveralValuesAPixelAreFrames) {
    const Folder folder;
    // Vectors lie one component after the other, complex numbers value by value.
    const auto vectors =
        folder.write("v.nii", makeNifti({.sizes = {2, 3, 1, 1, 3}, .code = 4, .bits = 16}, shorts(0, 18)));
    EXPECT_EQ(decodeFile(vectors, 3).value(0, 0), 12);
    Bytes values;
    for (int i = 0; i < 8; ++i) {
        const auto bytes = little(std::bit_cast<std::uint32_t>(static_cast<float>(i)), 4);
        values.insert(values.end(), bytes.begin(), bytes.end());
    }
    const auto complex = folder.write("c.nii", makeNifti({.sizes = {2, 2}, .code = 32, .bits = 64}, values));
    EXPECT_EQ(decodeFile(complex).metadata.pages, 2);
    EXPECT_EQ(decodeFile(complex, 1).value(1, 1), 6);
    EXPECT_EQ(decodeFile(complex, 2).value(1, 1), 7);
}

TEST(Nifti, ColoursAndEveryType) {
    const Folder folder;
    Bytes bytes;
    for (int i = 0; i < 24; ++i) bytes.push_back(static_cast<std::byte>(10 * i));
    const auto colour =
        decodeFile(folder.write("c.nii", makeNifti({.sizes = {2, 2, 2}, .code = 128, .bits = 24}, bytes)));
    EXPECT_EQ(colour.shape(), (io::Shape{2, 2, 2, 3}));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), colour.data()));
    const auto grey = decodeFile(folder.write("g.nii", makeNifti({.sizes = {4, 3, 2}, .code = 2, .bits = 8}, bytes)));
    EXPECT_EQ(grey.type(), PixelType::u8);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), grey.data()));
    const auto words = decodeFile(folder.write("w.nii", makeNifti({.sizes = {4, 3}, .code = 512, .bits = 16}, bytes)));
    EXPECT_EQ(words.type(), PixelType::u16);
    EXPECT_EQ(words.shape(), (io::Shape{4, 3, 1, 1}));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), words.data()));
}

TEST(Nifti, APairOfHeaderAndValuesIsReadAsOneFileIs) {
    const Folder folder;
    NiftiOptions o{.sizes = {4, 3, 2}, .code = 512, .bits = 16};
    o.affine = {-0.5F, 0, 0, 10, 0, 2, 0, 20, 0, 0, 3, 30};
    const auto values = shorts(100, 24);
    const auto one = decodeFile(folder.write("one.nii", makeNifti(o, values)));
    o.magic = "ni1";
    auto header = makeNifti(o, {});
    // In a pair the values begin with their file, unless it says otherwise.
    for (const float offset : {0.0F, 16.0F}) {
        const auto bits = little(std::bit_cast<std::uint32_t>(offset), 4);
        std::copy(bits.begin(), bits.end(), header.begin() + 108);
        folder.write("a.img", join({Bytes(static_cast<std::size_t>(offset)), values}));
        for (const auto& file : {header, Bytes(header.begin(), header.begin() + 348)}) {
            const auto pair = io::read(folder.write("a.hdr", file));
            EXPECT_TRUE(sameValues(pair, one));
            EXPECT_EQ(pair.geometry, one.geometry);
        }
    }
    const auto path = (folder.path() / "a.hdr").string();
    folder.write("a.img", std::span(values).first(values.size() - 1));
    EXPECT_TRUE(refuses([&] { decodeFile(path); }, Kind::unreadable, "missing"));
    std::filesystem::remove(folder.path() / "a.img");
    EXPECT_TRUE(refuses([&] { decodeFile(path); }, Kind::unreadable, "not beside it"));
    // Every other way to name it says what would work.
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.nii", header)); }, Kind::unsupported, "ends in .hdr"));
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.hdr.gz", gzipped(header))); }, Kind::unsupported, "gunzip"));
    EXPECT_TRUE(refuses([&] { decodeFile(folder.write("a.img", values)); }, Kind::unsupported, "open the .hdr"));
}

TEST(Nifti, WhatDoesNotFitIsRefusedBeforeItIsRead) {
    const Folder folder;
    const auto reading = [&](const NiftiOptions& o, std::size_t bytes, const char* name = "v.nii") {
        return [&folder, o, bytes, name] { decodeFile(folder.write(name, makeNifti(o, Bytes(bytes)))); };
    };
    EXPECT_NO_THROW(reading({.sizes = {3, 3}}, 9)());
    EXPECT_TRUE(refuses(reading({.sizes = {3, 3}}, 7), Kind::unreadable, "2 are missing"));
    EXPECT_TRUE(refuses(reading({.sizes = {32767, 32767, 32767}}, 9), Kind::limit));
    EXPECT_TRUE(refuses(reading({.sizes = {3, -3}}, 9), Kind::unreadable, "-3"));
    EXPECT_TRUE(refuses(reading({.sizes = {3, 3}, .bits = 16}, 18), Kind::unreadable, "bits"));
    EXPECT_TRUE(refuses(reading({.sizes = {3, 3}, .code = 1536, .bits = 128}, 999), Kind::unsupported, "float128"));
    EXPECT_NO_THROW(reading({.sizes = {3, 3}}, 9, "v.dat")()) << "a name is nothing that values depend on";
    NiftiOptions nan{.sizes = {3, 3}};
    nan.slope = 1;
    nan.affine[5] = std::nanf("");
    EXPECT_TRUE(refuses(reading(nan, 9), Kind::unreadable, "affine"));
}

std::vector<std::int16_t> slice(int first) {
    std::vector<std::int16_t> values(6);
    for (int i = 0; i < 6; ++i) values[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(first + i);
    return values;
}

TEST(Dicom, AFileIsAPictureWithItsSpacing) {
    const Folder folder;
    DicomOptions o{.width = 3, .height = 2};
    o.intercept = "-1024";
    const auto grid = io::read(folder.write("a.dcm", makeDicom(o, slice(0))));
    EXPECT_EQ(grid.shape(), (io::Shape{3, 2, 1, 1}));
    EXPECT_EQ(grid.metadata.format, "dicom");
    for (int i = 0; i < 6; ++i) EXPECT_EQ(grid.as<float>()[i], i - 1024);
    // Rows are 0.5 mm apart, columns 0.25 mm.
    EXPECT_EQ(grid.geometry.spacing[0], 0.25);
    EXPECT_EQ(grid.geometry.spacing[1], 0.5);
}

TEST(Dicom, APreambleThatIsATiffMakesNoTiff) {
    const Folder folder;
    auto file = makeDicom({.width = 3, .height = 2}, slice(5));
    const auto preamble = join({bytesOf("II"), little(42, 2), little(9999, 4)});
    std::copy(preamble.begin(), preamble.end(), file.begin());
    EXPECT_EQ(decodeFile(folder.write("a.dcm", file)).metadata.format, "dicom");
}

TEST(Dicom, AFolderIsAVolumeSortedByPosition) {
    const Folder folder;
    // Named, and numbered, in an order that is not theirs in space.
    const int order[] = {3, 0, 4, 1, 2};
    for (int i = 0; i < 5; ++i) {
        DicomOptions o{.width = 3, .height = 2};
        o.instance = 5 - i;
        o.position = {7, 8, 1.5 * order[i] - 20};
        folder.write("f" + std::to_string(i), makeDicom(o, slice(100 * order[i])));
    }
    folder.write("notes.txt", bytesOf("no picture"));
    ASSERT_TRUE(io::isDicomFolder(folder.path()));
    std::vector<double> told;
    io::ReadOptions options;
    options.progress = [&](double fraction) { told.push_back(fraction); };
    const auto grid = io::read(folder.path().string(), options);
    ASSERT_EQ(grid.shape(), (io::Shape{3, 2, 5, 1}));
    for (int z = 0; z < 5; ++z) EXPECT_EQ(grid.value(1, 1, z), 100 * z + 4);
    EXPECT_EQ(grid.sourceType(), "i16");
    EXPECT_NEAR(grid.geometry.spacing[2], 1.5, 1e-9);
    EXPECT_EQ(grid.geometry.origin, (std::array<double, 3>{7, 8, -20}));
    EXPECT_TRUE(grid.metadata.notes.empty());
    EXPECT_GT(told.size(), 5U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    ASSERT_EQ(grid.metadata.series.size(), 1U);
    EXPECT_EQ(grid.metadata.series[0], (io::Series{"1.2.3", "test", 5}));
}

TEST(Dicom, SeriesAndFramesAreChosen) {
    const Folder folder;
    int file = 0;
    for (int z = 0; z < 3; ++z) {
        for (int time = 0; time < 2; ++time) {
            DicomOptions o{.width = 3, .height = 2, .series = "1.5"};
            o.instance = 10 * time + z;
            o.position[2] = 2 * z;
            folder.write(std::to_string(++file), makeDicom(o, slice(100 * z + 1000 * time)));
        }
        DicomOptions other{.width = 3, .height = 2, .series = "1.4"};
        other.position[2] = z * z;
        folder.write(std::to_string(++file), makeDicom(other, slice(z)));
    }
    const auto path = folder.path().string();
    const auto largest = decodeFile(path);
    EXPECT_EQ(largest.shape().depth, 3);
    EXPECT_EQ(largest.metadata.pages, 2);
    EXPECT_EQ(largest.value(0, 0, 2), 200);
    EXPECT_EQ(decodeFile(path, 2).value(0, 0, 2), 1200);
    EXPECT_EQ(decodeFile(path, 2, "2").value(0, 0, 1), 1100);
    const auto other = decodeFile(path, 0, "1.4");
    EXPECT_EQ(other.value(0, 0, 2), 2);
    EXPECT_EQ(other.geometry.spacing[2], 2);
    ASSERT_EQ(other.metadata.notes.size(), 2U);
    EXPECT_NE(other.metadata.notes[0].find("not evenly spaced"), std::string::npos);
    EXPECT_TRUE(refuses([&] { decodeFile(path, 3); }, Kind::argument, "choose 1 to 2"));
    EXPECT_TRUE(refuses([&] { decodeFile(path, 0, "3"); }, Kind::argument, "1 to 2"));
    EXPECT_TRUE(refuses([&] { decodeFile(path, 0, "1.9"); }, Kind::argument, "'1.9'"));
    // A slice that is missing from one of the frames.
    std::filesystem::remove(folder.path() / "1");
    EXPECT_TRUE(refuses([&] { decodeFile(path); }, Kind::unsupported, "more slices than others"));
}

TEST(Dicom, SlicesThatDoNotBelongTogether) {
    const Folder folder;
    DicomOptions o{.width = 3, .height = 2};
    folder.write("a", makeDicom(o, slice(0)));
    o.position[2] = 1;
    o.orientation = "1\\0\\0\\0\\0\\1";
    folder.write("b", makeDicom(o, slice(0)));
    EXPECT_TRUE(refuses([&] { decodeFile(folder.path().string()); }, Kind::unsupported, "differ"));
    folder.write("c.png", bytesOf("no DICOM"));
    EXPECT_FALSE(io::isDicomFolder(folder.path())) << "a batch, then";
    EXPECT_TRUE(refuses([&] { io::read(folder.path().string()); }, Kind::unreadable, "other files than DICOM"));
}

TEST(Dicom, WithoutPositionsTheNumbersCount) {
    const Folder folder;
    for (const int number : {3, 1, 2}) {
        DicomOptions o{.width = 3, .height = 2};
        o.positioned = false;
        o.instance = number;
        folder.write("f" + std::to_string(7 * number % 4), makeDicom(o, slice(10 * number)));
    }
    const auto grid = decodeFile(folder.path().string());
    for (int z = 0; z < 3; ++z) EXPECT_EQ(grid.value(0, 0, z), 10 * (z + 1));
    EXPECT_EQ(grid.metadata.notes.size(), 1U);
}

}  // namespace
}  // namespace warplens::test
