// SPDX-License-Identifier: Apache-2.0
#include "gui/session/difference_model.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gui {
namespace {

using gpu::niceScale, gpu::ulpsBetween;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

io::Grid row(std::initializer_list<float> values, io::PixelType type = io::PixelType::f32) {
    io::Grid grid({static_cast<std::int64_t>(values.size()), 1, 1, 1}, type);
    std::int64_t x = 0;
    for (const float v : values) grid.setValue(x++, 0, 0, 0, v);
    return grid;
}

Difference of(const io::Grid& a, const io::Grid& b, Metric metric) {
    return differenceOf(a, b, metric, Region::all, {});
}

TEST(Difference, UlpsAreStepsOfNextafter) {
    for (const float start : {1.0F, -1.0F, 0.1F, 1e-40F, 0.0F, 3e38F, 0x1p-126F}) {
        float at = start;
        for (int n = 1; n <= 20; ++n) {
            at = std::nextafter(at, kInf);
            if (!std::isfinite(at)) break;
            ASSERT_EQ(ulpsBetween(at, start), n) << start;
            ASSERT_EQ(ulpsBetween(start, at), -n) << start;
        }
    }
    EXPECT_EQ(ulpsBetween(0.0F, -0.0F), 0);
    EXPECT_EQ(ulpsBetween(std::nextafter(0.0F, 1.0F), std::nextafter(-0.0F, -1.0F)), 2) << "through zero";
}

TEST(Difference, EveryMetricOfOnePixel) {
    const io::Grid a = row({3, 1}), b = row({4, 1});
    const std::pair<Metric, float> expected[] = {{Metric::signedValue, -1.0F},
                                                 {Metric::absolute, 1.0F},
                                                 {Metric::squared, 1.0F},
                                                 {Metric::relative, -0.25F},
                                                 {Metric::ulp, -4194304.0F}};  // 2^22 floats from 3 to 4
    ASSERT_EQ(std::size(expected), kMetrics.size());
    for (const auto& [metric, value] : expected) {
        const Difference d = of(a, b, metric);
        EXPECT_EQ(d.picture->as<float>()[0], value) << static_cast<int>(metric);
        EXPECT_EQ(d.picture->as<float>()[1], 0);
        EXPECT_EQ(d.figures[0].maximum, std::abs(value));
        EXPECT_EQ(d.figures[0].mean, std::abs(value) / 2);
        EXPECT_EQ(d.figures[0].mismatching, 1);
        EXPECT_EQ(d.figures[0].first, PixelPlace{});
    }
    EXPECT_EQ(of(row({3}, io::PixelType::u8), row({7}, io::PixelType::u8), Metric::ulp).picture->as<float>()[0], -4)
        << "steps of an integer";
    EXPECT_EQ(of(row({0}), row({0}), Metric::relative).picture->as<float>()[0], 0);
}

TEST(Difference, IntegersOf32BitsAreToldApartToTheLastUnit) {
    for (const io::PixelType type : {io::PixelType::u32, io::PixelType::i32}) {
        const double low = type == io::PixelType::u32 ? 0 : -2147483648.0, high = low + 4294967295.0;
        io::Grid a({4, 1, 1, 1}, type), b({4, 1, 1, 1}, type);
        const double left[] = {16777217, high, low, high - 1}, right[] = {16777216, high, high, high};
        for (std::int64_t x = 0; x < 4; ++x) {
            a.setValue(x, 0, 0, 0, left[x]);
            b.setValue(x, 0, 0, 0, right[x]);
        }
        for (const Metric metric : {Metric::signedValue, Metric::absolute, Metric::ulp}) {
            const Difference d = of(a, b, metric);
            EXPECT_EQ(d.figures[0].mismatching, 3);
            EXPECT_EQ(d.figures[0].maximum, 4294967295.0);
            EXPECT_EQ(d.figures[0].mean, 4294967297.0 / 4);
            EXPECT_EQ(d.figures[0].first, PixelPlace{});
            EXPECT_EQ(d.picture->value(0, 0), 1);
            EXPECT_EQ(d.picture->value(1, 0), 0);
            EXPECT_EQ(d.picture->value(3, 0), metric == Metric::absolute ? 1 : -1);
        }
        EXPECT_EQ(of(a, b, Metric::squared).figures[0].maximum, 4294967295.0 * 4294967295.0);
        EXPECT_EQ(of(a, b, Metric::signedValue).peak, high - 16777216) << "the range of b";
    }
}

TEST(Difference, FiguresAgainstTheirDefinition) {
    // 255 peak, differences 3, 0, -4, 0: RMSE sqrt(25/4).
    const Difference d =
        of(row({13, 5, 6, 9}, io::PixelType::u8), row({10, 5, 10, 9}, io::PixelType::u8), Metric::signedValue);
    EXPECT_EQ(d.peak, 255);
    EXPECT_DOUBLE_EQ(d.figures[0].rmse, 2.5);
    EXPECT_DOUBLE_EQ(d.figures[0].mean, 1.75);
    ASSERT_TRUE(d.figures[0].psnr.has_value());
    EXPECT_NEAR(*d.figures[0].psnr, 40.1720, 1e-4);  // 20 log10(102)
    const Difference same = of(row({1, 2}), row({1, 2}), Metric::ulp);
    EXPECT_FALSE(same.figures[0].psnr.has_value());
    EXPECT_FALSE(same.figures[0].first.has_value());
    EXPECT_EQ(same.figures[0].mismatching, 0);
}

TEST(Difference, NotANumberIsAlikeOrMismatching) {
    const Difference d =
        of(row({kNan, kNan, kInf, kInf, 1, 2}), row({kNan, 1, kInf, -kInf, -kInf, 2.5F}), Metric::absolute);
    EXPECT_EQ(d.figures[0].mismatching, 4);
    EXPECT_EQ(d.figures[0].maximum, 0.5) << "finite ones alone";
    EXPECT_DOUBLE_EQ(d.figures[0].mean, 0.5);
    const float* out = d.picture->as<float>();
    EXPECT_EQ(out[0], 0);
    EXPECT_TRUE(std::isnan(out[1]));
    EXPECT_EQ(out[2], 0);
    EXPECT_EQ(out[3], kInf);
    EXPECT_EQ(out[4], kInf);
    EXPECT_EQ(d.figures[0].first, (PixelPlace{1, 0, 0}));
}

TEST(Difference, RegionsAreCountedByHand) {
    // 10 x 6, halo 1, tiles 4 x 3: seams between x 3|4, 7|8 and y 2|3.
    const RegionShape regions{1, 1, 4, 3};
    const io::Shape shape{10, 6, 1, 1};
    const char* expected[] = {"bbbbbbbbbb", "b..ss..ssb", "bssssssssb", "bssssssssb", "b..ss..ssb", "bbbbbbbbbb"};
    io::Grid a(shape, io::PixelType::u8), b(shape, io::PixelType::u8);
    std::int64_t border = 0, seams = 0;
    for (std::int64_t y = 0; y < 6; ++y)
        for (std::int64_t x = 0; x < 10; ++x) {
            const char c = expected[y][x];
            EXPECT_EQ(regions.contains(Region::border, x, y, shape), c == 'b') << x << ' ' << y;
            EXPECT_EQ(regions.contains(Region::seams, x, y, shape), c == 's') << x << ' ' << y;
            EXPECT_TRUE(regions.contains(Region::all, x, y, shape));
            border += c == 'b';
            seams += c == 's';
            a.setValue(x, y, 0, 0, 0);
            b.setValue(x, y, 0, 0, c == 's' ? 5 : 0);
        }
    const RegionShape noHalo{0, 0, 4, 3};
    EXPECT_FALSE(noHalo.contains(Region::seams, 0, 1, shape)) << "no two tiles meet at the edge of the picture";
    EXPECT_FALSE(noHalo.contains(Region::seams, 9, 1, shape));
    EXPECT_FALSE(noHalo.contains(Region::border, 0, 0, shape));
    const Difference d = differenceOf(a, b, Metric::signedValue, Region::border, regions);
    EXPECT_EQ(d.figures[1].pixels, border);
    EXPECT_EQ(d.figures[2].pixels, seams);
    EXPECT_EQ(d.figures[0].mismatching, seams);
    EXPECT_EQ(d.figures[1].mismatching, 0);
    EXPECT_EQ(d.figures[2].first, (PixelPlace{3, 1, 0}));
    EXPECT_EQ(d.picture->value(3, 1), 0) << "only the border is shown";
    EXPECT_EQ(differenceOf(a, b, Metric::signedValue, Region::seams, regions).picture->value(3, 1), -5);
}

TEST(Difference, ColoursShowTheChannelThatDiffersMostAndVolumesEverySlice) {
    io::Grid a({2, 1, 2, 3}, io::PixelType::u8), b({2, 1, 2, 3}, io::PixelType::u8);
    for (std::size_t i = 0; i < 12; ++i) a.as<std::uint8_t>()[i] = b.as<std::uint8_t>()[i] = 50;
    a.setValue(1, 0, 1, 0, 53);
    a.setValue(1, 0, 1, 2, 41);
    const Difference d = of(a, b, Metric::signedValue);
    EXPECT_EQ(d.picture->shape(), (io::Shape{2, 1, 2, 1}));
    EXPECT_EQ(d.picture->value(1, 0, 1), -9);
    EXPECT_EQ(d.figures[0].mismatching, 1);
    EXPECT_EQ(d.figures[0].pixels, 4);
    EXPECT_EQ(d.figures[0].first, (PixelPlace{1, 0, 1}));
    EXPECT_DOUBLE_EQ(d.figures[0].mean, 1);
    EXPECT_THROW(of(a, row({1}), Metric::ulp), std::invalid_argument);
}

TEST(Difference, FiguresAreWrittenShort) {
    for (const auto& [value, text] : {std::pair{7.0, "7"},
                                      {1.14159, "1.14"},
                                      {0.0, "0"},
                                      {1.53e-5, "1.53e−5"},
                                      {123456.0, "123,456"},
                                      {static_cast<double>(kInf), "∞"}})
        EXPECT_EQ(figureText(value), QString::fromUtf8(text));
}

TEST(Difference, ScalesAreRound) {
    for (const auto& [magnitude, scale] :
         {std::pair{0.0, 1.0}, {7.0, 8.0}, {1.0, 1.0}, {1.1, 2.0}, {0.03, 0.04}, {9.0, 10.0}, {450.0, 500.0}})
        EXPECT_NEAR(niceScale(magnitude), scale, 1e-12 * scale) << magnitude;
}

}  // namespace
}  // namespace warplens::gui
