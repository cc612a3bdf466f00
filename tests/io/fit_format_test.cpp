// SPDX-License-Identifier: Apache-2.0
// What a file cannot hold of a picture, and what it gets instead.
#include "io/fit_format.hpp"

#include "io/write.hpp"
#include "tests/io/support/files.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::test {
namespace {

using io::PixelType;

const io::Format& format(const char* name) { return *io::formatNamed(name); }

TEST(FitFormat, EveryFormatTakesEveryPictureOfOneSlice) {
    for (const io::Format& one : io::formats()) {
        for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32, PixelType::u32, PixelType::i32}) {
            for (const int channels : {1, 3, 4}) {
                const auto picture = randomGrid({5, 3, 1, channels}, type);
                const auto fit = io::fitFor(one, picture, {io::usualRange(picture, picture)});
                ASSERT_EQ(fit.has_value(), !one.writes.empty()) << one.id;
                if (!fit) continue;
                EXPECT_TRUE(io::holds(one, io::fitted(picture, *fit))) << one.id << nameOf(type) << channels;
                EXPECT_EQ(fit->changes, !io::holds(one, picture)) << one.id << nameOf(type) << channels;
                if (io::holds(one, picture) && one.geometry) {
                    EXPECT_TRUE(io::lostBy(one, picture, *fit, {}).empty()) << one.id << nameOf(type) << channels;
                }
            }
        }
    }
}

TEST(FitFormat, ARangeBecomesTheWholeRangeOfTheType) {
    io::Grid picture({6, 1, 1, 1}, PixelType::f32);
    const float values[] = {-3, 0, 127.5F, 255, 300, std::numeric_limits<float>::quiet_NaN()};
    std::copy(std::begin(values), std::end(values), picture.as<float>());
    const io::Grid bytes({1, 1, 1, 1}, PixelType::u8);
    const io::FitOptions options{io::usualRange(picture, bytes)};
    const auto asBytes = io::fitFor(format("jpg"), picture, options),
               asWords = io::fitFor(format("png"), picture, options);
    ASSERT_TRUE(asBytes && asWords);
    const auto eight = io::fitted(picture, *asBytes), sixteen = io::fitted(picture, *asWords);
    const std::uint8_t small[] = {0, 0, 128, 255, 255, 0};
    const std::uint16_t large[] = {0, 0, 32768, 65535, 65535, 0};
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(eight.as<std::uint8_t>()[i], small[i]) << i;
        EXPECT_EQ(sixteen.as<std::uint16_t>()[i], large[i]) << i;
    }
    EXPECT_EQ(io::lostBy(format("jpg"), picture, *asBytes, {.quality = 80}),
              (std::vector<std::string>{"fractions are rounded to 8 bits", "50.0 % of the values are cut",
                                        "detail, at quality 80"}));
}

TEST(FitFormat, LabelsAreCountsThatNoRangeScales) {
    io::Grid labels({3, 1, 1, 1}, PixelType::u32);
    labels.as<std::uint32_t>()[0] = 0;
    labels.as<std::uint32_t>()[1] = 7;
    labels.as<std::uint32_t>()[2] = 200;
    const io::Grid bytes({1, 1, 1, 1}, PixelType::u8);
    const auto fit = io::fitFor(format("png"), labels, {io::usualRange(labels, bytes), PixelType::u8});
    ASSERT_TRUE(fit);
    const auto saved = io::fitted(labels, *fit);
    EXPECT_EQ(saved.value(1, 0), 7);
    EXPECT_EQ(saved.value(2, 0), 200);
}

TEST(FitFormat, WritesOnlyWhereItIsAskedFor) {
    const Folder folder;
    const auto picture = randomGrid({4, 4, 1, 1}, PixelType::u16);
    EXPECT_THROW(io::write(picture, folder.path() / "a.jpg"), io::Error);
    io::write(picture, folder.path() / "a.jpg", {.fit = io::FitOptions{io::usualRange(picture, picture)}});
    EXPECT_EQ(io::read((folder.path() / "a.jpg").string()).type(), PixelType::u8);
}

}  // namespace
}  // namespace warplens::test
