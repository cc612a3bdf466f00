// SPDX-License-Identifier: Apache-2.0
// 32-bit integers (labels, sums, distances) through every format: what no float holds has to come back.
#include "io/codecs/codec.hpp"
#include "io/npy.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <tiffio.h>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

constexpr std::array kTypes{PixelType::u32, PixelType::i32};
/// Zero, the first integer that f32 lacks, and the ends of both types.
constexpr std::array<std::uint32_t, 6> kExtremes{0, (1U << 24) + 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

io::Grid labels(const io::Shape& shape, PixelType type) {
    io::Grid grid(shape, type);
    for (std::int64_t i = 0; i < shape.values(); ++i) {
        grid.as<std::uint32_t>()[i] = kExtremes[static_cast<std::size_t>(i) % kExtremes.size()];
    }
    return grid;
}

/// The extremes as a file holds them, 6 x 1.
Bytes stored(bool big) {
    Bytes bytes;
    for (const auto value : kExtremes) {
        auto one = little(value, 4);
        if (big) std::reverse(one.begin(), one.end());
        bytes.insert(bytes.end(), one.begin(), one.end());
    }
    return bytes;
}

/// As a person would write them.
std::string written(PixelType type) {
    std::string text;
    for (const auto value : kExtremes) {
        text +=
            (type == PixelType::u32 ? std::to_string(value) : std::to_string(static_cast<std::int32_t>(value))) + "\n";
    }
    return text;
}

void expectExtremes(const io::Grid& grid, PixelType type) {
    EXPECT_TRUE(sameValues(grid, labels({6, 1, 1, 1}, type)));
    EXPECT_EQ(grid.sourceType(), nameOf(type));
    EXPECT_TRUE(grid.metadata.notes.empty());
    for (int i = 0; i < 6; ++i) {
        const auto value = kExtremes[static_cast<std::size_t>(i)];
        const std::int64_t meant = type == PixelType::u32 ? std::int64_t{value} : static_cast<std::int32_t>(value);
        EXPECT_EQ(grid.value(i, 0), static_cast<double>(meant));
    }
}

TEST(Labels, EveryFormatThatTakesThemHoldsThemExactly) {
    const Folder folder;
    int kinds = 0;
    for (const char* format : {"npy", "tif", "nrrd", "mha", "nii"}) {
        const auto path = folder.path() / (std::string("labels.") + format);
        for (const auto type : kTypes) {
            for (const int channels : {1, 3, 4}) {
                if (channels > 1 && path.extension() == ".nii") continue;  // refused below
                for (const auto& [w, h, d] : {std::array{1, 1, 1}, {7, 1, 1}, {300, 17, 1}, {5, 4, 3}}) {
                    for (const bool compress : {true, false}) {
                        const auto grid = labels({w, h, d, channels}, type);
                        const auto file = path.extension() == ".npy"
                                              ? io::encode(grid, "npy")
                                              : io::codecs::encode(grid, format, "x", {.compress = compress});
                        const auto name = folder.write(path.filename().string(), file);
                        const auto back = path.extension() == ".npy" ? io::read(name) : decodeFile(name);
                        EXPECT_TRUE(sameValues(back, grid)) << format << nameOf(type) << channels << w << h << d;
                        EXPECT_EQ(back.sourceType(), nameOf(type));
                        EXPECT_TRUE(back.metadata.notes.empty());
                        ++kinds;
                    }
                }
            }
        }
    }
    EXPECT_EQ(kinds, (4 * 3 + 1) * 2 * 4 * 2);
}

TEST(Labels, ThroughTheProcess) {
    const Folder folder;
    for (const char* name : {"a.tiff", "a.nrrd", "a.mha", "a.nii"}) {
        for (const auto type : kTypes) {
            const auto grid = labels({200, 150, 3, 1}, type);
            io::write(grid, folder.path() / name);
            EXPECT_TRUE(sameValues(io::read((folder.path() / name).string()), grid)) << name;
        }
    }
}

TEST(Labels, AreReadAsFloatsWhereThatIsAsked) {
    const Folder folder;
    io::ReadOptions asFloat;
    asFloat.toFloat = true;
    for (const char* name : {"a.npy", "a.tiff", "a.nrrd", "a.mha", "a.nii"}) {
        const auto path = (folder.path() / name).string();
        for (const auto type : kTypes) {
            SCOPED_TRACE(std::string(name) + nameOf(type));
            // Through 2^24 every integer is a float, and those of computed tomography are far below.
            io::Grid exact({5, 4, 3, 1}, type), beyond = labels({6, 2, 1, 1}, type);
            for (std::int64_t i = 0; i < 60; ++i)
                exact.setValue(i % 5, i / 5 % 4, i / 20, 0,
                               static_cast<double>(16777216 - i * (type == PixelType::i32 ? 600000 : 1)));
            exact.geometry.spacing = {0.5, 0.5, 2};
            io::write(exact, path);
            const auto back = io::read(path, asFloat);
            ASSERT_EQ(back.type(), PixelType::f32);
            EXPECT_EQ(back.sourceType(), nameOf(type));
            EXPECT_TRUE(back.metadata.notes.empty());
            EXPECT_EQ(back.geometry, io::read(path).geometry);
            for (std::int64_t i = 0; i < 60; ++i)
                EXPECT_EQ(back.value(i % 5, i / 5 % 4, i / 20), exact.value(i % 5, i / 5 % 4, i / 20));

            io::write(beyond, path);
            const auto nearest = io::read(path, asFloat);
            for (std::int64_t x = 0; x < 6; ++x)
                EXPECT_EQ(nearest.value(x, 1), static_cast<double>(static_cast<float>(beyond.value(x, 1))));
            ASSERT_EQ(nearest.metadata.notes.size(), 1U);
            EXPECT_EQ(nearest.metadata.notes.front().find(type == PixelType::u32 ? "8 of 12 u32" : "4 of 12 i32"), 0U)
                << nearest.metadata.notes.front();
        }
    }
    for (int slice = 0; slice < 2; ++slice)
        io::write(labels({6, 1, 1, 1}, PixelType::i32), folder.path() / ("s" + std::to_string(slice) + ".tif"));
    const auto series = io::read("series:" + (folder.path() / "s#.tif").string(), asFloat);
    EXPECT_EQ(series.type(), PixelType::f32);
    EXPECT_EQ(series.metadata.notes.size(), 1U) << "of the volume, not of each slice";
}

TEST(Labels, FilesOfOthersAreReadAsWhatTheyAre) {
    const Folder folder;
    for (const auto type : kTypes) {
        const bool plain = type == PixelType::u32;
        for (const bool big : {false, true}) {
            SCOPED_TRACE(std::string(nameOf(type)) + (big ? " big" : " little"));
            const auto values = stored(big);
            const std::string order = big ? ">" : "<";
            auto header =
                "{'descr': '" + order + (plain ? "u4" : "i4") + "', 'fortran_order': False, 'shape': (1, 6), }\n";
            const auto npy =
                join({bytesOf("\x93NUMPY\x01"), Bytes(1), little(header.size(), 2), bytesOf(header), values});
            expectExtremes(io::decodeNpy(npy, {}, "x"), type);

            header = std::string("NRRD0004\ntype: ") + (plain ? "uint32" : "signed int") +
                     "\ndimension: 2\nsizes: 6 1\nendian: " + (big ? "big" : "little") + "\nencoding: ";
            expectExtremes(decodeFile(folder.write("a.nrrd", join({bytesOf(header + "raw\n\n"), values}))), type);
            expectExtremes(decodeFile(folder.write("a.nrrd", join({bytesOf(header + "gzip\n\n"), gzipped(values)}))),
                           type);
            expectExtremes(decodeFile(folder.write("a.nrrd", join({bytesOf(header + "bzip2\n\n"), bzipped(values)}))),
                           type);
            expectExtremes(decodeFile(folder.write("a.nrrd", bytesOf(header + "ascii\n\n" + written(type)))), type);

            const auto meta = [&](const std::string& fields, const Bytes& data) {
                header = "NDims = 2\nDimSize = 6 1\nElementByteOrderMSB = " + std::string(big ? "True" : "False") +
                         "\n" + fields + "ElementType = " + (plain ? "MET_UINT" : "MET_INT") +
                         "\nElementDataFile = LOCAL\n";
                return decodeFile(folder.write("a.mha", join({bytesOf(header), data})));
            };
            expectExtremes(meta("", values), type);
            expectExtremes(meta("CompressedData = True\n", gzipped(values)), type);
            expectExtremes(meta("BinaryData = False\n", bytesOf(written(type))), type);

            NiftiOptions nifti{.sizes = {6, 1}, .code = plain ? 768 : 8, .bits = 32};
            nifti.bigEndian = big;
            expectExtremes(decodeFile(folder.write("a.nii", makeNifti(nifti, values))), type);
            expectExtremes(decodeFile(folder.write("a.nii.gz", gzipped(makeNifti(nifti, values)))), type);

            const auto tiff = makeTiff(big ? "wb" : "wl", [&](void* handle) {
                auto* file = static_cast<TIFF*>(handle);
                TIFFSetField(file, TIFFTAG_IMAGEWIDTH, 6);
                TIFFSetField(file, TIFFTAG_IMAGELENGTH, 1);
                TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 32);
                TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, 1);
                TIFFSetField(file, TIFFTAG_SAMPLEFORMAT, plain ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_INT);
                TIFFSetField(file, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
                auto row = stored(false);  // libtiff brings them to the file's order
                TIFFWriteScanline(file, row.data(), 0, 0);
            });
            expectExtremes(io::codecs::decode(tiff, {}, "x"), type);
        }
    }
}

TEST(Labels, ATiffInWhichWhiteIsZeroStaysAsStored) {
    for (const auto type : kTypes) {
        const auto file = makeTiff("wl", [&](void* handle) {
            auto* tiff = static_cast<TIFF*>(handle);
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 6);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
            TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, type == PixelType::u32 ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_INT);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
            auto row = stored(false);
            TIFFWriteScanline(tiff, row.data(), 0, 0);
        });
        const auto grid = io::codecs::decode(file, {}, "x");
        for (std::size_t i = 0; i < kExtremes.size(); ++i) {
            EXPECT_EQ(grid.as<std::uint32_t>()[i], kExtremes[i]);
        }
        EXPECT_EQ(grid.metadata.notes.size(), 1U) << "how it is to be shown";
    }
}

TEST(Labels, ANiftiWithASlopeIsNoLabelAnyMore) {
    const Folder folder;
    const NiftiOptions scaled{.sizes = {6, 1}, .code = 8, .bits = 32, .slope = 0.5F};
    const auto grid = decodeFile(folder.write("a.nii", makeNifti(scaled, stored(false))));
    EXPECT_EQ(grid.type(), PixelType::f32);
    EXPECT_EQ(grid.sourceType(), "i32");
}

TEST(Labels, EveryOtherFormatRefusesThemAndNamesThoseThatDoNot) {
    const auto refused = [](const io::Grid& grid, const std::string& format, const std::string& text) {
        return refuses([&] { io::codecs::encode(grid, format, "out"); }, Kind::unsupported, text);
    };
    int formats = 0;
    for (const auto& codec : io::codecs::all()) {
        for (const auto type : kTypes) {
            if (std::ranges::count(codec.writes, type) > 0) continue;
            EXPECT_TRUE(refused(labels({3, 2, 1, 1}, type), codec.id, "write .tif, .nrrd, .mha, .nii or .npy"));
            EXPECT_TRUE(refused(labels({3, 2, 1, 3}, type), codec.id, "write .tif, .nrrd, .mha or .npy"));
            if (!codec.writes.empty()) {
                EXPECT_TRUE(refused(labels({3, 2, 1, 1}, type), codec.id,
                                    std::string("does not hold ") + nameOf(type) + " values: "));
            }
            ++formats;
        }
    }
    EXPECT_EQ(formats, 2 * (static_cast<int>(io::codecs::all().size()) - 4));
    EXPECT_TRUE(refused(labels({3, 2, 1, 3}, PixelType::i32), "nii",
                        "NIfTI does not hold i32 values in colour: write .tif, .nrrd, .mha or .npy"));
}

}  // namespace
}  // namespace warplens::test
