// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/codecs/exif.hpp"
#include "io/fit_format.hpp"
#include "io/read.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/truncation.hpp"

#include <charconv>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

// Written and read by Pillow 13.0 with libwebp 1.6: 8 x 6 of quality 60 with alpha, and what it sees there.
constexpr std::string_view kLossyRgba =
    "524946467e00000057454250565038580a00000010000000070000050000414c50481b0000000127201048432619ec7744c40802016241"
    "8b06ff5d1222fa1f850f00565038203c0000001002009d012a0800060002804225b0027472000294a0d5d0c000feef6ac71963798004b1"
    "67ed69e0273ae54709e0f61f64bafd08f098fc54dd800000";
constexpr std::string_view kLossyRgbaSeen =
    "0009e7ff0d0adfff270ccbff4209b3ff6c119f78880e8596a20e70b4b00f68d20926f0ff1627e7ff2f28d5ff4c26bbff782da878932a8d"
    "96ac2b79b4b92c70d21252f7ff1f53eeff3955dbff5452c0ff7f5aad789a589296b55780b4c25877d21174f7ff1f76efff3877dbff5576"
    "c1ff807dae789c7a9396b57b81b4c27c78d21396f9ff229af3ff3e9be2ff61a0cfff85a2b378a1a09996bca087b4caa280d219adffff2a"
    "b2fcff49b7edff69b8d7ff8cb9bc78a9b8a396c4b88eb4d2ba87d2";
// Three frames of 5 x 4, of which the later ones hold what changes.
constexpr std::string_view kAnimation =
    "52494646e600000057454250565038580a00000012000000040000030000414e494d06000000000000000000414e4d4654000000000000"
    "000000040000030000640000025650384c3c0000002f04c000008760906da4032bc2011de0a33dc4c808049238079c73fe8b30c2051a80"
    "ff080380c2b68dd4d431fd1f44f43fba257eb7e600592db2bf03414e4d462c000000000000000000020000020000640000005650384c14"
    "0000002f028000100f300a833c5af31ff0188388fe8701414e4d462a000000010000010000010000010000640000005650384c11000000"
    "2f0140000007508a2257abff8188e87f0000";
constexpr std::string_view kAnimationSeen =
    "c8005affc8005aff640000ff960000ffc80000ffc8005affc8005aff643c00ff963c00ffc83c00ff007800ff327800ff647800ff967800"
    "ffc87800ff00b400ff32b400ff64b400ff96b400ffc8b400ffc8005affc8005aff640000ff960000ffc80000ffc8005affc80a5affc80a"
    "5aff963c00ffc83c00ff007800ffc80a5affc80a5aff967800ffc87800ff00b400ff32b400ff64b400ff96b400ffc8b400ffc8005affc8"
    "005aff640000ff960000ffc80000ffc8005affc80a5affc80a5aff963c00ffc83c00ff007800ffc80a5affc8145affc8145affc87800ff"
    "00b400ff32b400ffc8145affc8145affc8b400ff";

Bytes hex(std::string_view digits) {
    Bytes bytes(digits.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value, 16);
        bytes[i] = static_cast<std::byte>(value);
    }
    return bytes;
}

io::Grid decode(const Bytes& file) { return io::codecs::decode(file, {}, "test.webp"); }

Bytes encode(const io::Grid& grid, int quality) {
    return io::codecs::encode(grid, "webp", "test.webp", {.quality = quality});
}

/// The small TIFF of a camera that says an orientation.
Bytes cameraSays(int orientation, bool big = false) {
    const Bytes segment = exifSegment(orientation, big);
    return {segment.begin() + 6, segment.end()};
}

TEST(Webp, ShowsWhatPillowShows) {
    const auto lossy = decode(hex(kLossyRgba));
    EXPECT_EQ(lossy.shape(), (io::Shape{8, 6, 1, 4}));
    EXPECT_EQ(storedValues(lossy), hex(kLossyRgbaSeen));
    const auto animation = decode(hex(kAnimation));
    EXPECT_EQ(animation.shape(), (io::Shape{5, 4, 3, 4}));
    EXPECT_EQ(storedValues(animation), hex(kAnimationSeen));
}

TEST(Webp, QualityOfAHundredLosesNothing) {
    for (const int channels : {3, 4}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {1, 9}, {13, 1}, {33, 70}, {300, 17}}) {
            const auto grid = randomGrid({width, height, 1, channels}, PixelType::u8);
            const auto back = decode(encode(grid, 100));
            EXPECT_TRUE(sameValues(back, grid)) << channels << ' ' << width;
            EXPECT_TRUE(back.metadata.notes.empty());
        }
    }
    // Colours under full transparency are values, and so is an alpha that hides nothing.
    for (const int alpha : {0, 255}) {
        auto grid = randomGrid({40, 30, 1, 4}, PixelType::u8);
        for (std::size_t i = 3; i < grid.bytes(); i += 4) grid.data()[i] = static_cast<std::byte>(alpha);
        EXPECT_TRUE(sameValues(decode(encode(grid, 100)), grid)) << alpha;
        EXPECT_EQ(decode(encode(grid, 70)).shape(), grid.shape()) << alpha;
    }
}

TEST(Webp, GreyBecomesThreeChannelsThatAreAlike) {
    const auto grid = randomGrid({19, 7, 1, 1}, PixelType::u8);
    const auto back = decode(encode(grid, 100));
    ASSERT_EQ(back.shape(), (io::Shape{19, 7, 1, 3}));
    for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 19; ++x)
            for (int c = 0; c < 3; ++c) ASSERT_EQ(back.value(x, y, 0, c), grid.value(x, y));
}

TEST(Webp, WhatIsLostIsSaid) {
    const auto& format = *io::formatNamed("webp");
    const auto lost = [&](const io::Shape& shape, PixelType type, int quality) {
        const auto picture = randomGrid(shape, type);
        const auto fit = io::fitFor(format, picture, {io::usualRange(picture, picture)});
        return fit ? io::lostBy(format, picture, *fit, {.quality = quality}) : std::vector<std::string>{"all"};
    };
    using Lost = std::vector<std::string>;
    EXPECT_EQ(lost({3, 2, 1, 4}, PixelType::u8, 100), Lost{});
    EXPECT_EQ(lost({3, 2, 1, 3}, PixelType::u8, 99), Lost{"detail, at quality 99"});
    EXPECT_EQ(lost({3, 2, 1, 3}, PixelType::u16, 100), Lost{"16 bits become 8"});
    EXPECT_EQ(lost({3, 2, 1, 1}, PixelType::u8, 100), Lost{"grey becomes three channels that are alike"});
    EXPECT_EQ(lost({3, 2, 2, 3}, PixelType::u8, 100), Lost{"all"}) << "a volume";
}

TEST(Webp, QualityIsWhatMakesItLarger) {
    const auto grid = randomGrid({64, 64, 1, 3}, PixelType::u8);
    std::size_t before = 0;
    for (const int quality : {1, 30, 60, 90, 99, 100}) {
        const auto file = encode(grid, quality);
        EXPECT_GT(file.size(), before) << quality;
        before = file.size();
    }
    io::Grid smooth({64, 48, 1, 4}, PixelType::u8);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            for (int c = 0; c < 4; ++c) smooth.setValue(x, y, 0, c, 20 + 2 * x + y + 10 * c);
    const auto back = decode(encode(smooth, 90));
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            for (int c = 0; c < 4; ++c) ASSERT_NEAR(back.value(x, y, 0, c), smooth.value(x, y, 0, c), c < 3 ? 8 : 0);
}

TEST(Webp, IsWrittenWithAllThatIsKnownOfThePicture) {
    for (const int channels : {1, 3, 4}) {
        for (const int quality : {75, 100}) {
            auto grid = randomGrid({9, 5, 1, channels}, PixelType::u8);
            grid.metadata.iccProfile = bytesOf(std::string(1001, 'p'));
            grid.metadata.exif = cameraSays(1);
            grid.metadata.dpi = {300, 150.25};
            const auto back = decode(encode(grid, quality));
            EXPECT_EQ(back.metadata.iccProfile, grid.metadata.iccProfile);
            ASSERT_TRUE(back.metadata.dpi);
            EXPECT_EQ(*back.metadata.dpi, *grid.metadata.dpi);
            EXPECT_DOUBLE_EQ(back.geometry.spacing[1], 25.4 / 150.25);
            EXPECT_EQ(io::codecs::tiffOrientation(back.metadata.exif), 1);
            if (quality == 100 && channels > 1) {
                EXPECT_EQ(encode(back, quality), encode(grid, quality)) << "nothing piles up";
            }
            grid.metadata.dpi.reset();
            EXPECT_EQ(decode(encode(grid, quality)).metadata.exif, grid.metadata.exif);
        }
    }
    auto grey = randomGrid({4, 4, 1, 1}, PixelType::u8);
    grey.metadata.iccProfile = join({Bytes(16), bytesOf("GRAY"), Bytes(108)});
    EXPECT_TRUE(decode(encode(grey, 100)).metadata.iccProfile.empty()) << "it says nothing of three channels";
}

TEST(Webp, LiesUprightAsItsExifSays) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        auto stored = randomGrid({6, 4, 1, 3}, PixelType::u8);
        auto asPng = stored.clone();
        stored.metadata.exif = asPng.metadata.exif = cameraSays(orientation, orientation % 2 == 0);
        stored.metadata.dpi = {100, 200};
        const auto turned = decode(encode(stored, 100));
        EXPECT_TRUE(sameValues(turned, io::codecs::decode(io::codecs::encode(asPng, "png", "x"), {}, "x")));
        EXPECT_EQ(turned.metadata.notes.size(), orientation == 1 ? 0U : 1U);
        EXPECT_EQ(io::codecs::tiffOrientation(turned.metadata.exif), 1);
        ASSERT_TRUE(turned.metadata.dpi);
        EXPECT_EQ((*turned.metadata.dpi)[0], orientation < 5 ? 100 : 200);
    }
}

TEST(Webp, AnAnimationIsAStackThatSaysSo) {
    const auto first = randomGrid({7, 5, 1, 4}, PixelType::u8, 1), second = randomGrid({7, 5, 1, 4}, PixelType::u8, 2);
    const auto file = makeWebpAnimation(7, 5, {encode(first, 100), encode(second, 100)});
    const auto plain = makeWebpAnimation(7, 5, {encode(first, 100)});
    ASSERT_EQ(decode(file).shape(), (io::Shape{7, 5, 2, 4}));
    EXPECT_EQ(storedValues(decode(file)), join({storedValues(first), storedValues(second)}));
    EXPECT_EQ(decode(file).metadata.notes, std::vector<std::string>{"its 2 frames were read as slices"});
    EXPECT_EQ(decode(file).metadata.pages, 2);
    EXPECT_EQ(decode(file).metadata.page, 0);
    EXPECT_TRUE(sameValues(decode(plain), first));
    EXPECT_TRUE(decode(plain).metadata.notes.empty());
    const Folder folder;
    const auto path = folder.write("a.webp", file), one = folder.write("b.webp", encode(first, 100));
    const auto frame = [](const std::string& name, int number) {
        io::ReadOptions options;
        options.frame = number;
        return io::read(name, options);
    };
    EXPECT_TRUE(sameValues(frame(path, 2), second));
    EXPECT_EQ(frame(path, 2).metadata.notes, std::vector<std::string>{"frame 2 of 2 was read"});
    EXPECT_TRUE(refuses([&] { frame(path, 3); }, Kind::argument, "there is no frame 3: choose 1 to 2"));
    EXPECT_TRUE(refuses([&] { frame(one, 2); }, Kind::argument, "leave --frame out"));
}

TEST(Webp, CutAtAnyByteItIsAnErrorOrTheSamePicture) {
    auto known = randomGrid({6, 5, 1, 3}, PixelType::u8);
    known.metadata.iccProfile = bytesOf("profile");
    known.metadata.dpi = {300, 300};
    for (const auto& file : {hex(kLossyRgba), hex(kAnimation), encode(known, 100), encode(known, 50)}) {
        checkInMemory("cut", file, decode, file.size());
        EXPECT_TRUE(refuses([&] { decode(Bytes(file.begin(), file.end() - 9)); }, Kind::unreadable, "ends too early"));
    }
}

TEST(Webp, TooLargeAPictureIsOneSentence) {
    const auto wide = randomGrid({16384, 1, 1, 3}, PixelType::u8);
    EXPECT_TRUE(refuses([&] { encode(wide, 90); }, Kind::unsupported,
                        "larger than WebP's 16383 x 16383 pixels: write .png or .tif"));
    const auto widest = randomGrid({16383, 1, 1, 3}, PixelType::u8);
    EXPECT_TRUE(sameValues(decode(encode(widest, 100)), widest));
    // A canvas that no frame can fill takes no memory.
    auto file = makeWebpAnimation(7, 5, {encode(randomGrid({7, 5, 1, 3}, PixelType::u8), 100)});
    for (const std::size_t at : {25U, 28U}) file[at] = std::byte{0x7f};
    EXPECT_TRUE(refuses([&] { decode(file); }, Kind::unreadable, "canvas"));
}

TEST(Exif, TheResolutionIsPutBesideAllElse) {
    using io::codecs::tiffResolution, io::codecs::withResolution;
    for (const bool big : {false, true}) {
        const auto said = cameraSays(6, big);
        EXPECT_FALSE(tiffResolution(said));
        auto now = withResolution(said, {300, 72.5});
        EXPECT_EQ(*tiffResolution(now), (std::array{300.0, 72.5}));
        EXPECT_EQ(io::codecs::tiffOrientation(now), 6);
        EXPECT_EQ(withResolution(now, {300, 72.5}), now);
        now = withResolution(now, {254000, 1e6});
        EXPECT_EQ(*tiffResolution(now), (std::array{254000.0, 1e6}));
        EXPECT_EQ(io::codecs::tiffOrientation(now), 6);
        for (std::size_t size = 0; size < now.size(); ++size) {
            const Bytes cut(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(size));
            EXPECT_EQ(tiffResolution(cut).value_or(*tiffResolution(now)), *tiffResolution(now)) << size;
            if (size >= 8) {
                EXPECT_TRUE(tiffResolution(withResolution(cut, {10, 20}))) << size;
            }
        }
    }
    EXPECT_EQ(*tiffResolution(withResolution({}, {96, 96})), (std::array{96.0, 96.0}));
    EXPECT_EQ(withResolution(bytesOf("no TIFF at all"), {96, 96}), bytesOf("no TIFF at all"));
    EXPECT_TRUE(withResolution({}, {1e12, 96}).empty());
}

}  // namespace
}  // namespace warplens::test
