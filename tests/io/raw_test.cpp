// SPDX-License-Identifier: Apache-2.0
#include "io/raw.hpp"

#include "tests/io/support/files.hpp"

#include <algorithm>
#include <limits>

namespace warplens::test {
namespace {

using io::PixelType;
using io::RawType;
using Kind = io::Error::Kind;

TEST(Raw, AFileAloneIsItsBytesInOneRow) {
    const Folder folder;
    Bytes bytes;
    for (int i = 0; i < 2'000'003; ++i) bytes.push_back(static_cast<std::byte>((std::int64_t{i} * i / 7) & 0xff));
    // Longer than a side of a picture may be, and a name with everything in it that could confuse.
    const auto grid = io::read("raw:" + folder.write("a:b 3x4:u9", bytes));
    EXPECT_EQ(grid.shape(), (io::Shape{2'000'003, 1, 1, 1}));
    EXPECT_EQ(grid.type(), PixelType::u8);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), grid.data()));
    EXPECT_EQ(grid.metadata.format, "raw");
    EXPECT_TRUE(refuses([&] { io::read("raw:" + folder.write("empty", {})); }, Kind::unreadable, "empty"));
    EXPECT_TRUE(refuses([&] { io::read("raw:" + (folder.path() / "none").string()); }, Kind::unreadable, "none"));
    io::ReadOptions options;
    options.limits.bytes = 1000;
    EXPECT_TRUE(refuses([&] { io::read("raw:" + folder.write("big", bytes), options); }, Kind::limit, "1000 bytes"));
}

TEST(Raw, EveryTypeOrderChannelsAndSkip) {
    const Folder folder;
    const io::Shape plane{5, 4, 3, 1};
    for (const auto type : {RawType::u8, RawType::u16, RawType::i16, RawType::u32, RawType::i32, RawType::f32}) {
        for (const bool big : {false, true}) {
            for (const int channels : {1, 3, 4}) {
                for (const int skip : {0, 1, 512}) {
                    auto shape = plane;
                    shape.channels = channels;
                    const auto size = io::sizeOf(type);
                    // The truth, value by value; every bit pattern of integers, and of floats those that are exact.
                    Bytes file(static_cast<std::size_t>(skip), std::byte{0xee});
                    std::vector<double> truth;
                    for (std::int64_t i = 0; i < shape.values(); ++i) {
                        const auto bits = static_cast<std::uint32_t>(i) * 2654435761U;
                        std::uint32_t stored = bits;
                        if (type == RawType::u8) truth.push_back(bits & 0xffU);
                        if (type == RawType::u16) truth.push_back(bits & 0xffffU);
                        if (type == RawType::i16) truth.push_back(static_cast<std::int16_t>(bits & 0xffffU));
                        if (type == RawType::u32) truth.push_back(bits);
                        if (type == RawType::i32) truth.push_back(static_cast<std::int32_t>(bits));
                        if (type == RawType::f32) {
                            truth.push_back(static_cast<float>(i) * 0.3F);
                            stored = std::bit_cast<std::uint32_t>(static_cast<float>(i) * 0.3F);
                        }
                        auto bytes = little(stored, size);
                        if (big) std::reverse(bytes.begin(), bytes.end());
                        file.insert(file.end(), bytes.begin(), bytes.end());
                    }
                    io::RawDescription raw{.file = folder.write("v.bin", file), .shape = shape, .type = type};
                    raw.bigEndian = big;
                    raw.skip = skip;
                    raw.spacing = {0.1, 1.0 / 3, 2.5e-7};
                    const auto grid = io::read(io::formatRaw(raw));
                    ASSERT_EQ(grid.shape(), shape) << io::formatRaw(raw);
                    EXPECT_EQ(grid.sourceType(), io::nameOf(type));
                    EXPECT_EQ(grid.geometry.spacing, raw.spacing);
                    std::size_t at = 0;
                    for (std::int64_t z = 0; z < shape.depth; ++z) {
                        const auto slice = io::readRawSlice(raw, z, {});
                        for (std::int64_t y = 0; y < shape.height; ++y) {
                            for (std::int64_t x = 0; x < shape.width; ++x) {
                                for (int c = 0; c < channels; ++c, ++at) {
                                    ASSERT_EQ(grid.value(x, y, z, c), truth[at]) << io::formatRaw(raw) << ' ' << at;
                                    ASSERT_EQ(slice.value(x, y, 0, c), truth[at]);
                                }
                            }
                        }
                    }
                    EXPECT_TRUE(sameValues(io::decodeRaw(file, raw, {}), grid));
                }
            }
        }
    }
}

TEST(Raw, ADisagreementIsNamedInBytes) {
    const Folder folder;
    const auto file = folder.write("v.bin", Bytes(24));
    const auto reading = [&](const std::string& rest) { return [input = "raw:" + file + rest] { io::read(input); }; };
    EXPECT_NO_THROW(reading(":2x3x4:u8")());
    EXPECT_TRUE(refuses(reading(":2x3x4:u16"), Kind::unreadable, "is 48 bytes, the file has 24 bytes too few"));
    EXPECT_TRUE(refuses(reading(":5x5:u8"), Kind::unreadable, "1 byte too few"));
    EXPECT_TRUE(refuses(reading(":23x1:u8"), Kind::unreadable, "1 byte too many"));
    EXPECT_TRUE(refuses(reading(":2x3:u8:c=3"), Kind::unreadable, "6 bytes too many"));
    EXPECT_TRUE(refuses(reading(":2x3x4:u8:skip=7"), Kind::unreadable, "7 bytes too few"));
    EXPECT_TRUE(refuses(reading(":1048577x1:u8"), Kind::limit));
    EXPECT_TRUE(refuses(reading(":1048576x2000x1048576:f32"), Kind::limit));
    EXPECT_TRUE(refuses(reading(":2x3:u8:skip=9223372036854775807"), Kind::limit));
}

TEST(Raw, ASliceIsShownEvenWhenTheSizeIsStillWrong) {
    const Folder folder;
    Bytes bytes;
    for (int i = 0; i < 25; ++i) bytes.push_back(static_cast<std::byte>(i));
    io::RawDescription raw{.file = folder.write("v.bin", bytes), .shape = {2, 3, 9, 1}};
    EXPECT_EQ(io::readRawSlice(raw, 3, {}).value(1, 2), 23);
    EXPECT_TRUE(refuses([&] { io::readRawSlice(raw, 4, {}); }, Kind::unreadable, "slice 4 lies 5 bytes beyond"));
    EXPECT_TRUE(refuses([&] { io::readRawSlice(raw, 9, {}); }, Kind::argument, "choose 0 to 8"));
    EXPECT_TRUE(refuses([&] { io::readRawSlice(raw, -1, {}); }, Kind::argument));
}

TEST(Raw, DescriptionsAreTakenApartAndPutTogether) {
    const auto raw = io::parseRaw("raw:C:/x 1x1:u8/v.bin:256x128x64:i16:c=3:order=big:skip=352:spacing=0.5,1,2");
    EXPECT_EQ(raw.file, "C:/x 1x1:u8/v.bin");
    EXPECT_EQ(raw.shape, (io::Shape{256, 128, 64, 3}));
    EXPECT_EQ(raw.type, RawType::i16);
    EXPECT_TRUE(raw.bigEndian);
    EXPECT_EQ(raw.skip, 352);
    EXPECT_EQ(io::parseRaw(io::formatRaw(raw)), raw);
    EXPECT_TRUE(io::parseRaw("raw:photo.png").wholeFile);
    EXPECT_EQ(io::pathOf("raw:v.bin:1x1:u8"), "v.bin");
    EXPECT_EQ(io::pathOf("gen:noise:1x1:u8"), "");
    const std::pair<const char*, const char*> bad[] = {
        {"raw:", "no file"},
        {"raw::2x2:u8", "no file"},
        {"raw:v:2x2", "type is missing"},
        {"raw:v:2x2:", "type ''"},
        {"raw:v:2x2:i8", "choose u8, u16, i16, u32, i32 or f32"},
        {"raw:v:0x2:u8", "'0'"},
        {"raw:v:99999999999999999999x2:u8", "out of range"},
        {"raw:v:2x2:u8:c=2", "choose 1, 3 or 4"},
        {"raw:v:2x2:u8:order=middle", "little or big"},
        {"raw:v:2x2:u8:skip=-1", "skip '-1'"},
        {"raw:v:2x2:u8:skip=1:skip=1", "twice"},
        {"raw:v:2x2:u8:skip", "key=value"},
        {"raw:v:2x2:u8:jump=1", "'jump'"},
        {"raw:v:2x2:u8:spacing=1,2", "three lengths"},
        {"raw:v:2x2:u8:spacing=1,2,0", "above 0"},
        {"raw:v:2x2:u8:spacing=1,2,nan", "above 0"},
    };
    for (const auto& [input, text] : bad) {
        EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::argument, text)) << input;
    }
}

TEST(Raw, AStopIsHeardAndProgressIsTold) {
    const Folder folder;
    const auto input = "raw:" + folder.write("v.bin", Bytes(10 << 20)) + ":1024x1024x10:u8";
    io::ReadOptions options;
    std::vector<double> told;
    options.progress = [&](double fraction) { told.push_back(fraction); };
    io::read(input, options);
    EXPECT_EQ(told.size(), 3U) << "4 MiB at once";
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.back(), 1);
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](double) { stop.request_stop(); };
    EXPECT_TRUE(refuses([&] { io::read(input, options); }, Kind::cancelled));
}

}  // namespace
}  // namespace warplens::test
