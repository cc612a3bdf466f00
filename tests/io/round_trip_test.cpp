// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/files.hpp"

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

/// Enough of an ICC profile for libpng to keep it: the header, and one tag without meaning.
Bytes smallProfile(bool grey) {
    Bytes profile(1180);
    // What does not compress, for libpng takes too short a chunk for damage.
    const auto noise = randomGrid({1024, 1, 1, 1}, PixelType::u8);
    std::copy(noise.data(), noise.data() + 1024, profile.end() - 1024);
    const auto put = [&](std::size_t at, const std::string& text) {
        const auto bytes = bytesOf(text);
        std::copy(bytes.begin(), bytes.end(), profile.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(0, std::string("\0\0\x04\x9c", 4));
    put(8, std::string("\x02\x40\0\0", 4));
    put(12, "mntr");
    put(16, grey ? "GRAY" : "RGB ");
    put(20, "XYZ ");
    put(36, "acsp");
    put(68, std::string("\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12));
    put(128, std::string("\0\0\0\1desc", 8));
    put(136, std::string("\0\0\0\x90\0\0\x04\x0c", 8));
    return profile;
}

TEST(RoundTrip, EveryFormatHoldsBitForBitWhatItSays) {
    int kinds = 0;
    for (const auto& codec : io::codecs::all()) {
        // Those in volume_test.cpp need a file; JPEG loses by design.
        if (codec.byName || codec.quality) continue;
        for (const auto type : codec.writes) {
            for (const int channels : {1, 3, 4}) {
                for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {13, 1}, {33, 70}, {300, 17}}) {
                    auto grid = randomGrid({width, height, 1, channels}, type);
                    const auto file = io::codecs::encode(grid, codec.id, "test");
                    const auto back = io::codecs::decode(file, {}, "test");
                    EXPECT_TRUE(sameValues(back, grid)) << codec.id << ' ' << nameOf(type) << ' ' << channels;
                    EXPECT_TRUE(back.metadata.notes.empty());
                    ++kinds;
                }
            }
        }
    }
    EXPECT_EQ(kinds, (2 + 5 + 1) * 3 * 5);
}

TEST(RoundTrip, ThroughTheProcessAndAFile) {
    const Folder folder;
    for (const auto& [name, type] : {std::pair{"a.PNG", PixelType::u16},
                                     {"a.tif", PixelType::u8},
                                     {"a.tiff", PixelType::f32},
                                     {"a.exr", PixelType::f32}}) {
        // Larger than any pipe's buffer.
        const auto grid = randomGrid({500, 300, 1, 4}, type);
        io::write(grid, folder.path() / name);
        EXPECT_TRUE(sameValues(io::read((folder.path() / name).string()), grid)) << name;
        EXPECT_EQ(folder.entries(), 1U) << "no temporary file is left";
        std::filesystem::remove(folder.path() / name);
    }
}

TEST(RoundTrip, ProfileAndResolutionSurvive) {
    for (const auto& [format, type] : {std::pair{"png", PixelType::u8}, {"tiff", PixelType::u16}}) {
        for (const int channels : {1, 3}) {
            auto grid = randomGrid({4, 4, 1, channels}, type);
            grid.metadata.iccProfile = smallProfile(channels == 1);
            grid.metadata.dpi = {300, 150};
            const auto back = io::codecs::decode(io::codecs::encode(grid, format, "test"), {}, "test");
            EXPECT_EQ(back.metadata.iccProfile, grid.metadata.iccProfile) << format << channels;
            ASSERT_TRUE(back.metadata.dpi.has_value());
            EXPECT_NEAR((*back.metadata.dpi)[0], 300, 0.02);
            EXPECT_NEAR((*back.metadata.dpi)[1], 150, 0.02);
            EXPECT_EQ(io::codecs::encode(back, format, "test"), io::codecs::encode(grid, format, "test"));
        }
    }
}

TEST(RoundTrip, SignedSourcesStaySignedInTiff) {
    io::Grid grid({3, 1, 1, 1}, PixelType::f32);
    grid.as<float>()[0] = -32768;
    grid.as<float>()[1] = 0;
    grid.as<float>()[2] = 32767;
    grid.metadata.sourceType = "i16";
    auto back = io::codecs::decode(io::codecs::encode(grid, "tif", "test"), {}, "test");
    EXPECT_TRUE(sameValues(back, grid));
    EXPECT_EQ(back.sourceType(), "i16");
    grid.as<float>()[1] = 0.5F;
    back = io::codecs::decode(io::codecs::encode(grid, "tif", "test"), {}, "test");
    EXPECT_TRUE(sameValues(back, grid));
    EXPECT_EQ(back.sourceType(), "f32");
}

TEST(RoundTrip, AFormatThatCannotHoldThePictureNamesOneThatCan) {
    const auto plane = randomGrid({2, 2, 1, 1}, PixelType::f32);
    const auto volume = randomGrid({2, 2, 2, 1}, PixelType::u8);
    const auto words = randomGrid({2, 2, 1, 1}, PixelType::u16);
    const auto clear = randomGrid({2, 2, 1, 4}, PixelType::u8);
    const auto encode = [](const io::Grid& grid, const char* format) {
        return [&grid, format] { io::codecs::encode(grid, format, "out"); };
    };
    EXPECT_TRUE(refuses(encode(plane, "png"), Kind::unsupported, "write .tif, .exr, .nrrd, .mha, .nii or .npy"));
    EXPECT_TRUE(refuses(encode(words, "exr"), Kind::unsupported, "write .png, .tif, .nrrd, .mha, .nii or .npy"));
    EXPECT_TRUE(refuses(encode(volume, "png"), Kind::unsupported, "write .tif, .nrrd, .mha, .nii or .npy"));
    EXPECT_TRUE(refuses(encode(words, "jpg"), Kind::unsupported, "JPEG does not hold u16 values"));
    EXPECT_TRUE(refuses(encode(clear, "jpg"), Kind::unsupported, "JPEG does not hold transparency: write .png"));
    EXPECT_TRUE(refuses(encode(words, "bmp"), Kind::unsupported, "BMP is read, not written"));
    EXPECT_TRUE(refuses(encode(words, "doc"), Kind::unsupported, "'doc'"));
}

TEST(RoundTrip, ARefusedFormatLeavesTheOldFileAndNothingElse) {
    const Folder folder;
    const auto path = folder.write("a.png", bytesOf("old"));
    EXPECT_TRUE(refuses(
        [&] {
            io::write(randomGrid({2000, 2000, 1, 1}, PixelType::f32), path);
        },
        Kind::unsupported, ".tif"));
    EXPECT_EQ(readFile(path), bytesOf("old"));
    EXPECT_EQ(folder.entries(), 1U);
}

}  // namespace
}  // namespace warplens::test
