// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "tests/io/support/fixtures.hpp"

#include <png.h>
#include <sys/resource.h>
#include <tiffio.h>
#include <zlib.h>

namespace warplens::test {
namespace {

using io::PixelType;
using Kind = io::Error::Kind;

io::Grid decode(const Bytes& file, const io::Limits& limits = {}) {
    return io::codecs::decode(file, limits, "hostile");
}

/// A copy with a big-endian number at a place, and the CRC of a PNG's first chunk made right again.
Bytes pngWith(Bytes file, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) file[at + i] = static_cast<std::byte>(value >> (24 - 8 * i));
    const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(&file[12]), 17);
    for (std::size_t i = 0; i < 4; ++i) file[29 + i] = static_cast<std::byte>(crc >> (24 - 8 * i));
    return file;
}

long peakKilobytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST(Hostile, ZeroHugeAndNegativePngSizes) {
    const auto good = io::codecs::encode(randomGrid({4, 4, 1, 4}, PixelType::u16), "png", "x");
    ASSERT_NO_THROW(decode(pngWith(good, 16, 4)));
    const long before = peakKilobytes();
    for (const std::uint32_t side : {0U, 0x7fffffffU, 0x80000000U, 0xffffffffU, 30000U, 1048576U}) {
        EXPECT_TRUE(errorOf([&] { decode(pngWith(good, 16, side)); })) << side;
        EXPECT_TRUE(errorOf([&] { decode(pngWith(pngWith(good, 16, side), 20, side)); })) << side;
    }
    EXPECT_LT(peakKilobytes() - before, 64 * 1024) << "refused before anything was allocated";
    EXPECT_TRUE(refuses([&] { decode(pngWith(good, 16, 2'000'000)); }, Kind::limit, "1048576"));
}

TEST(Hostile, APngTooShortForItsPictureIsRefusedBeforeAllocation) {
    const auto good = io::codecs::encode(randomGrid({4, 4, 1, 1}, PixelType::u8), "png", "x");
    const auto bomb = pngWith(pngWith(good, 16, 20000), 20, 20000);
    EXPECT_TRUE(refuses([&] { decode(bomb); }, Kind::unreadable, "too short"));
}

TEST(Hostile, LimitsHoldInEveryFormat) {
    io::Limits limits;
    limits.pixels = 3;
    for (const auto& seed : smallFiles()) {
        const auto& name = seed.first;
        const auto& file = seed.second;
        EXPECT_TRUE(refuses([&] { decode(file, limits); }, Kind::limit, "3 pixels")) << name;
    }
}

TEST(Hostile, ATiffOfBadTagsIsRefusedBeforeLibtiffSeesIt) {
    // Thousands of entries, each claiming a great deal.
    Bytes file = join({bytesOf("II"), little(42, 2), little(8, 4), little(4000, 2)});
    for (std::uint64_t i = 0; i < 4000; ++i) {
        const auto entry = join({little(40000 + i, 2), little(4, 2), little(0x3fffffff, 4), little(8, 4)});
        file.insert(file.end(), entry.begin(), entry.end());
    }
    EXPECT_TRUE(refuses([&] { decode(join({file, little(0, 4)})); }, Kind::unreadable, "directory"));
    const auto one = [](const Bytes& entry) {
        return join({bytesOf("II"), little(42, 2), little(8, 4), little(1, 2), entry, little(0, 4)});
    };
    EXPECT_TRUE(refuses(
        [&] {
            decode(one(join({little(273, 2), little(4, 2), little(0x3fffffff, 4), little(8, 4)})));
        },
        Kind::unreadable, "larger than the file"));
    const auto loop = join({bytesOf("II"), little(42, 2), little(8, 4), little(1, 2), Bytes(12), little(8, 4)});
    EXPECT_TRUE(refuses([&] { decode(loop); }, Kind::unreadable, "loop"));
}

TEST(Hostile, TiffSamplesAndTilesOutOfProportion) {
    const auto file = [](int samples, int tile) {
        return makeTiff("wb", [&](void* handle) {
            auto* tiff = static_cast<TIFF*>(handle);
            TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 16);
            TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 16);
            TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
            TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
            TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
            if (tile > 0) {
                TIFFSetField(tiff, TIFFTAG_TILEWIDTH, tile);
                TIFFSetField(tiff, TIFFTAG_TILELENGTH, tile);
            }
            Bytes data(256);
            if (tile == 0) TIFFWriteEncodedStrip(tiff, 0, data.data(), 16);
        });
    };
    const long before = peakKilobytes();
    EXPECT_TRUE(refuses([&] { decode(file(65535, 0)); }, Kind::unsupported, "65535"));
    EXPECT_TRUE(errorOf([&] { decode(file(1, 1 << 20)); }));
    EXPECT_LT(peakKilobytes() - before, 64 * 1024);
}

TEST(Hostile, AnExrWindowOutOfProportion) {
    const auto good = io::codecs::encode(randomGrid({4, 4, 1, 1}, PixelType::f32), "exr", "x");
    const auto name = bytesOf("dataWindow");
    const auto found = std::search(good.begin(), good.end(), name.begin(), name.end());
    ASSERT_NE(found, good.end());
    const auto window = static_cast<std::size_t>(found - good.begin()) + 11 + 6 + 4;
    const long before = peakKilobytes();
    for (const std::uint64_t side : {0x7fffffffULL, 0xffffffffULL, 0x80000000ULL, 1'000'000ULL}) {
        auto file = good;
        for (const std::size_t axis : {8U, 12U}) {
            const auto field = little(side, 4);
            std::copy(field.begin(), field.end(), file.begin() + static_cast<std::ptrdiff_t>(window + axis));
        }
        EXPECT_TRUE(errorOf([&] { decode(file); })) << side;
    }
    EXPECT_LT(peakKilobytes() - before, 64 * 1024);
}

TEST(Hostile, WhatIsNoPictureIsNamedSo) {
    EXPECT_TRUE(refuses([] { decode(bytesOf("%PDF-1.7 and so on and on")); }, Kind::unsupported, "PNG, JPEG"));
    EXPECT_TRUE(refuses([] { decode({}); }, Kind::unsupported));
    EXPECT_TRUE(refuses([] { decode(bytesOf("BM is how this text begins, by chance")); }, Kind::unsupported));
}

}  // namespace
}  // namespace warplens::test
