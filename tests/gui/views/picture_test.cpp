// SPDX-License-Identifier: Apache-2.0
// What is done with a picture's values before they are seen: statistics, reduced levels, colours.
#include "gpu/render/pyramid.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/render.hpp"
#include "gui/picture/statistics.hpp"
#include "tests/gui/views/samples.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gui {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

io::Grid filled(const io::Shape& shape, io::PixelType type, auto value) {
    io::Grid grid(shape, type);
    for (std::int64_t y = 0; y < shape.height; ++y) {
        for (std::int64_t x = 0; x < shape.width; ++x) {
            for (int c = 0; c < shape.channels; ++c) grid.setValue(x, y, 0, c, value(x, y, c));
        }
    }
    return grid;
}

TEST(Statistics, LeaveOutOneInAThousandAtEachEnd) {
    // 0..1999 shuffled by a stride: the quantiles' ranks are 1.999 and 1997.001.
    const auto ramp = [](auto x, auto y, int) { return static_cast<double>((x + 50 * y) * 7 % 2000); };
    for (const io::PixelType type : {io::PixelType::u16, io::PixelType::f32}) {
        const PictureStatistics s = statisticsOf(filled({50, 40}, type, ramp));
        EXPECT_EQ(s.minimum, 0);
        EXPECT_EQ(s.maximum, 1999);
        EXPECT_EQ(s.low, 1);
        EXPECT_EQ(s.high, 1997);
        EXPECT_EQ(s.finite, 2000);
    }
}

TEST(Statistics, IgnoreWhatIsNotANumberAndCountIt) {
    io::Grid grid =
        filled({40, 50}, io::PixelType::f32, [](auto x, auto, int) { return -1.5 + static_cast<double>(x) / 16; });
    grid.setValue(3, 3, 0, 0, kNan);
    grid.setValue(4, 3, 0, 0, kInf);
    grid.setValue(5, 3, 0, 0, -kInf);
    const PictureStatistics s = statisticsOf(grid);
    EXPECT_EQ(s.nonFinite, 3);
    EXPECT_EQ(s.finite, 1997);
    EXPECT_EQ(s.minimum, -1.5);
    EXPECT_EQ(s.maximum, -1.5 + 39.0 / 16);
}

TEST(Statistics, AnOutlierCostsNoAccuracy) {
    io::Grid grid =
        filled({100, 100}, io::PixelType::f32, [](auto x, auto, int) { return 0.001 * static_cast<double>(x); });
    grid.setValue(0, 0, 0, 0, 1e30);
    const PictureStatistics s = statisticsOf(grid);
    EXPECT_EQ(s.maximum, static_cast<double>(1e30F));
    EXPECT_EQ(autoRange(s).high, static_cast<double>(0.099F));
}

TEST(Statistics, AlphaIsLeftOut) {
    const auto s = statisticsOf(
        filled({8, 8, 1, 4}, io::PixelType::u8, [](auto, auto, int c) { return c == 3 ? 255.0 : 10.0 + c; }));
    EXPECT_EQ(s.maximum, 12);
    EXPECT_EQ(s.finite, 192);
}

TEST(Statistics, RangesOfDegeneratePictures) {
    const auto constant = statisticsOf(filled({9, 9}, io::PixelType::f32, [](auto, auto, int) { return 4.0; }));
    EXPECT_EQ(autoRange(constant), (DisplayRange{3.5, 4.5}));
    const auto nothing = statisticsOf(filled({9, 9}, io::PixelType::f32, [](auto, auto, int) { return kNan; }));
    EXPECT_EQ(nothing.finite, 0);
    EXPECT_EQ(autoRange(nothing), (DisplayRange{0, 1}));
    // One pixel of light: the quantiles agree, so the whole range is shown.
    const auto impulse = statisticsOf(
        filled({99, 99}, io::PixelType::u8, [](auto x, auto y, int) { return x == 7 && y == 7 ? 200.0 : 0.0; }));
    EXPECT_EQ(autoRange(impulse), (DisplayRange{0, 200}));
    EXPECT_EQ(defaultRange(io::PixelType::u16, {}), (DisplayRange{0, 65535}));
}

TEST(Pyramid, HalvesAverageFourAndRepeatAnOddEdge) {
    const io::Grid grid =
        filled({3, 3}, io::PixelType::f32, [](auto x, auto y, int) { return static_cast<double>(x + 10 * y); });
    const io::Grid half = gpu::render::halved(grid, 0);
    ASSERT_EQ(half.shape(), (io::Shape{2, 2}));
    EXPECT_EQ(half.value(0, 0), 5.5);
    EXPECT_EQ(half.value(1, 0), 7);   // column 2 twice
    EXPECT_EQ(half.value(1, 1), 22);  // the corner itself
    const io::Grid bytes = gpu::render::halved(
        filled({2, 2}, io::PixelType::u8, [](auto x, auto, int) { return x == 0 ? 254.0 : 255.0; }), 0);
    EXPECT_EQ(bytes.value(0, 0), 255);  // 254.5 rounded
}

TEST(Pyramid, EndsWhereThePictureIsSmall) {
    const auto grid = samples::scene(1000, 300, io::PixelType::u8, 3);
    const auto pyramid = gpu::render::makePyramid(*grid, 0);
    ASSERT_EQ(pyramid->levels.size(), 2U);
    EXPECT_EQ(pyramid->levels[1].shape(), (io::Shape{250, 75, 1, 3}));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(gpu::render::makePyramid(*grid, 0, stop.get_token())->levels.empty());
}

RenderRequest at(QSize size, QPointF centre, double zoom) {
    RenderRequest request;
    request.size = size;
    request.centre = centre;
    request.zoom = zoom;
    return request;
}

TEST(Render, OneToOneIsExact) {
    const auto grid =
        filled({16, 16}, io::PixelType::u8, [](auto x, auto y, int) { return static_cast<double>(x + 16 * y); });
    const QImage image = render(grid, nullptr, at({16, 16}, {8, 8}, 1));
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) EXPECT_EQ(qGreen(image.pixel(x, y)), x + 16 * y);
    }
}

TEST(Render, AboveOneEachPixelIsABlock) {
    const auto grid = filled({4, 4, 1, 3}, io::PixelType::u8,
                             [](auto x, auto y, int c) { return static_cast<double>(10 * x + 50 * y + c); });
    const QImage image = render(grid, nullptr, at({40, 40}, {2, 2}, 10));
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
            const int base = 10 * (x / 10) + 50 * (y / 10);
            EXPECT_EQ(image.pixel(x, y), qRgb(base, base + 1, base + 2));
        }
    }
}

TEST(Render, OutsideIsTheSurround) {
    const auto grid = filled({4, 4}, io::PixelType::u8, [](auto, auto, int) { return 255.0; });
    const QImage image = render(grid, nullptr, at({8, 8}, {2, 2}, 1));
    EXPECT_EQ(image.pixel(1, 4), 0xff2e2e2e);
    EXPECT_EQ(image.pixel(2, 4), 0xffffffff);
    EXPECT_EQ(image.pixel(5, 5), 0xffffffff);
    EXPECT_EQ(image.pixel(6, 4), 0xff2e2e2e);
    EXPECT_EQ(render(grid, nullptr, at({8, 8}, {100, 100}, 1)).pixel(4, 4), 0xff2e2e2e);
}

TEST(Render, ReducedIsTheMeanNotASample) {
    // A checkerboard seen from afar is middle grey everywhere; a sampled one would not be.
    const auto grid =
        filled({1024, 1024}, io::PixelType::f32, [](auto x, auto y, int) { return (x + y) % 2 ? 255.0 : 0.0; });
    const auto pyramid = gpu::render::makePyramid(grid, 0);
    for (const double zoom : {0.5, 0.3, 0.125, 0.05}) {
        const QImage image = render(grid, pyramid.get(), at({40, 40}, {512, 512}, zoom));
        for (int i = 0; i < 40; ++i) EXPECT_NEAR(qGreen(image.pixel(i, 7 + i / 2)), 128, 1) << zoom;
    }
}

TEST(Render, ReducedLiesWhereThePictureDoes) {
    // Each screen pixel covers columns 2i and 2i + 1, whose mean is i + 0.25.
    const auto ramp =
        filled({400, 400}, io::PixelType::f32, [](auto x, auto, int) { return static_cast<double>(x) / 2; });
    const auto pyramid = gpu::render::makePyramid(ramp, 0);
    const QImage image = render(ramp, pyramid.get(), at({200, 200}, {200, 200}, 0.5));
    for (int i = 0; i < 200; ++i) EXPECT_EQ(qGreen(image.pixel(i, 100)), i);
}

TEST(Render, WindowAndLevel) {
    EXPECT_EQ(mapped(10, {10, 20}, ColourMap::grey), qRgb(0, 0, 0));
    EXPECT_EQ(mapped(15, {10, 20}, ColourMap::grey), qRgb(128, 128, 128));
    EXPECT_EQ(mapped(99, {10, 20}, ColourMap::grey), qRgb(255, 255, 255));
    EXPECT_EQ(mapped(12, {20, 10}, ColourMap::grey), qRgb(204, 204, 204));
    EXPECT_EQ(mapped(5, {5, 5}, ColourMap::grey), qRgb(0, 0, 0));
    EXPECT_EQ(mapped(5.001, {5, 5}, ColourMap::grey), qRgb(255, 255, 255));
    EXPECT_EQ(mapped(0, {-8, 8}, ColourMap::diverging, 0xffd2d2d2), 0xffd2d2d2);
    EXPECT_GT(qBlue(mapped(-8, {-8, 8}, ColourMap::diverging)), qRed(mapped(-8, {-8, 8}, ColourMap::diverging)));
    EXPECT_GT(qRed(mapped(8, {-8, 8}, ColourMap::diverging)), qBlue(mapped(8, {-8, 8}, ColourMap::diverging)));
}

TEST(Render, WhatIsNotANumberHasItsOwnColour) {
    EXPECT_EQ(mapped(kNan, {0, 1}, ColourMap::grey), kNanColour);
    EXPECT_EQ(mapped(kInf, {0, 1}, ColourMap::diverging), kPlusInfColour);
    EXPECT_EQ(mapped(-kInf, {0, 1}, ColourMap::grey), kMinusInfColour);
    const auto grid = filled({600, 600, 1, 3}, io::PixelType::f32,
                             [](auto x, auto y, int c) { return x == 300 && y == 300 && c == 1 ? kNan : 0.5; });
    const auto pyramid = gpu::render::makePyramid(grid, 0);
    // Seen from afar it is still there.
    const QImage image = render(grid, pyramid.get(), at({100, 100}, {300, 300}, 0.1));
    int found = 0;
    for (int y = 0; y < 100; ++y) {
        for (int x = 0; x < 100; ++x) found += image.pixel(x, y) == kNanColour;
    }
    EXPECT_GE(found, 1);
}

TEST(Render, EverySliceIsItself) {
    io::Grid grid({4, 4, 3, 1}, io::PixelType::u8);
    for (int z = 0; z < 3; ++z) {
        for (int i = 0; i < 16; ++i) grid.setValue(i % 4, i / 4, z, 0, 100 + z);
    }
    for (int z = 0; z < 5; ++z) {
        RenderRequest request = at({2, 2}, {2, 2}, 1);
        request.slice = z;
        EXPECT_EQ(qRed(render(grid, nullptr, request).pixel(0, 0)), 100 + std::min(z, 2));
    }
}

TEST(PixelText, IsExact) {
    const auto grey = filled({2, 2}, io::PixelType::f32, [](auto, auto, int) { return 30.435518; });
    EXPECT_EQ(pixelText(grey, 1, 1), QStringLiteral("30.435518"));
    EXPECT_EQ(pixelText(grey, 2, 1), QString());
    const auto rgb = filled({1, 1, 1, 3}, io::PixelType::u8, [](auto, auto, int c) {
        return c == 0 ? 192.0 : c == 1 ? 67.0 : 37.0;
    });
    EXPECT_EQ(pixelText(rgb, 0, 0), QStringLiteral("192, 67, 37"));
    const auto deep = filled({1, 1, 1, 3}, io::PixelType::u16, [](auto, auto, int) { return 40000.0; });
    EXPECT_EQ(pixelText(deep, 0, 0), QStringLiteral("40,000; 40,000; 40,000"));
}

}  // namespace
}  // namespace warplens::gui
