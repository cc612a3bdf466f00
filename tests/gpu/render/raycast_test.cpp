// SPDX-License-Identifier: Apache-2.0
// Pixels of volumes whose picture is known without a ray.
#include "tests/gpu/render/render_case.hpp"

#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::render {
namespace {

using namespace test;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Projection, StartsAsACoronalSlice) {
    const Projection p({10, 20, 30}, {1, 1, 1}, {.yaw = 0, .pitch = 0}, 100, 100);
    const auto middle = p.toScreen({5, 10, 15});
    EXPECT_NEAR(middle[0], 50, 1e-9);
    EXPECT_NEAR(middle[1], 50, 1e-9);
    EXPECT_GT(p.toScreen({6, 10, 15})[0], 50);                 // x to the right
    EXPECT_LT(p.toScreen({5, 10, 16})[1], 50);                 // z up
    EXPECT_NEAR(p.toScreen({5, 11, 15})[0], middle[0], 1e-9);  // y away from the eye
    EXPECT_GT(p.forward()[1], 0.999);
    // Right, up and away are a right-handed x, z, y: nothing is mirrored however it is turned.
    const Projection turned({10, 20, 30}, {1, 2, 3}, {.yaw = 77, .pitch = -31}, 100, 80);
    const auto &r = turned.right(), &d = turned.down(), &f = turned.forward();
    EXPECT_NEAR(
        (r[1] * d[2] - r[2] * d[1]) * f[0] + (r[2] * d[0] - r[0] * d[2]) * f[1] + (r[0] * d[1] - r[1] * d[0]) * f[2], 1,
        1e-12);
}

TEST(Projection, GoesThereAndBackAndShowsEveryCorner) {
    for (const double yaw : {-200.0, 0.0, 35.0, 90.0})
        for (const double pitch : {-90.0, 0.0, 22.0}) {
            const Projection p({10, 40, 25}, {0.5, 1, 3}, {.yaw = yaw, .pitch = pitch}, 300, 200);
            const auto there = p.toScreen(p.toVoxel(17, 150));
            EXPECT_NEAR(there[0], 17, 1e-9);
            EXPECT_NEAR(there[1], 150, 1e-9);
            for (int corner = 0; corner < 8; ++corner) {
                const auto at = p.toScreen({corner & 1 ? 10.0 : 0, corner & 2 ? 40.0 : 0, corner & 4 ? 25.0 : 0});
                EXPECT_GE(at[0], -1e-9);
                EXPECT_LE(at[0], 300 + 1e-9);
                EXPECT_GE(at[1], -1e-9);
                EXPECT_LE(at[1], 200 + 1e-9);
            }
        }
}

TEST(Transfer, OpacityIsStraightBetweenPointsAndMeantForOneVoxel) {
    const std::vector<OpacityPoint> curve{{0.2, 0}, {0.6, 0.8}, {0.6, 0.1}, {1, 0.1}};
    EXPECT_EQ(opacityAt(curve, 0), 0);
    EXPECT_NEAR(opacityAt(curve, 0.4), 0.4, 1e-12);
    EXPECT_NEAR(opacityAt(curve, 0.8), 0.1, 1e-12);
    EXPECT_EQ(opacityAt({}, 0.3), 1);
    // Two half steps let through what one whole step does.
    const Transfer t{0, 1, {0xffffffff}, {{0, 0.36}}};
    EXPECT_NEAR(tableOf(t, 0.5, 1)[7].opacity, 0.2, 1e-6);
    const auto before = visibleBefore(tableOf({0, 1, {0xffffffff}, {{0.5, 0}, {1, 1}}}, 1, 1));
    EXPECT_EQ(before.front(), 0);
    EXPECT_EQ(before.back(), kTableSize / 2);
}

TEST(Raycast, AverageAlongAnAxisIsTheMeanOfTheColumn) {
    const auto volume = volumeOf({20, 12, 17}, io::PixelType::f32, noise);
    const auto renderer = cpuRenderer();
    struct Axis {
        double yaw, pitch;
        int width, height;
    };
    for (const Axis axis : {Axis{0, 0, 20, 17}, Axis{90, 0, 12, 17}, Axis{0, 90, 20, 12}}) {
        FrameRequest request = oneToOne(*volume, axis.yaw, axis.pitch, axis.width, axis.height);
        request.transfer = readable(0, 1);
        for (const bool fine : {true, false}) {
            request.fine = fine;
            for (const Mode mode : {Mode::average, Mode::maximum}) {
                request.mode = mode;
                const Frame frame = drawn(*renderer, volume, request);
                for (int v = 0; v < axis.height; ++v)
                    for (int u = 0; u < axis.width; ++u) {
                        // Screen rows run downwards, z and (seen from above) y upwards.
                        const int row = axis.height - 1 - v;
                        const int length = axis.pitch == 90 ? 17 : axis.yaw == 90 ? 20 : 12;
                        double sum = 0, most = 0;
                        for (int k = 0; k < length; ++k) {
                            const double value = axis.pitch == 90 ? noise(u, row, k)
                                                 : axis.yaw == 90 ? noise(k, u, row)
                                                                  : noise(u, k, row);
                            sum += value;
                            most = std::max(most, value);
                        }
                        const double expected = mode == Mode::average ? sum / length : most;
                        ASSERT_NEAR(valueIn(at(frame, u, v), request.transfer), expected, 1.0 / kTableSize)
                            << "yaw " << axis.yaw << " pitch " << axis.pitch << " pixel " << u << " " << v;
                    }
            }
        }
    }
}

TEST(Raycast, ABrightVoxelAppearsWhereItIsProjected) {
    auto volume = volumeOf({24, 20, 9}, io::PixelType::u8,
                           [](auto x, auto y, auto z) { return x == 17 && y == 5 && z == 6 ? 255.0 : 0.0; });
    volume->geometry.spacing = {1, 1.5, 4};
    const auto renderer = cpuRenderer();
    for (const double yaw : {0.0, 35.0, 130.0, -75.0})
        for (const double pitch : {0.0, 22.0, -60.0, 90.0}) {
            FrameRequest request;
            request.view = {.yaw = yaw, .pitch = pitch, .right = 0.05, .up = -0.1};
            request.width = 240;
            request.height = 200;
            request.transfer = {0, 255, {0xff000000, 0xffffffff}, {}};
            request.transfer.colours.clear();
            for (std::uint32_t i = 0; i < 256; ++i) request.transfer.colours.push_back(0xff000000U | i);
            const Frame frame = drawn(*renderer, volume, request);
            double weight = 0, x = 0, y = 0;
            for (int j = 0; j < 200; ++j)
                for (int i = 0; i < 240; ++i) {
                    const double w = at(frame, i, j) & 0xffU;
                    weight += w;
                    x += w * (i + 0.5);
                    y += w * (j + 0.5);
                }
            ASSERT_GT(weight, 0);
            const Projection p(volume->shape(), volume->geometry.spacing, request.view, 240, 200);
            const auto expected = p.toScreen({17.5, 5.5, 6.5});
            EXPECT_NEAR(x / weight, expected[0], 0.5) << yaw << " " << pitch;
            EXPECT_NEAR(y / weight, expected[1], 0.5) << yaw << " " << pitch;
        }
}

TEST(Raycast, CompositingMultipliesWhatIsLetThrough) {
    const auto volume = volumeOf({6, 9, 5}, io::PixelType::f32, [](auto, auto, auto) { return 0.5; });
    const auto renderer = cpuRenderer();
    for (const double opacity : {0.05, 0.2, 0.4}) {
        for (const bool fine : {true, false}) {
            FrameRequest request = oneToOne(*volume, 0, 0, 6, 5);
            request.mode = Mode::shaded;
            request.fine = fine;
            request.transfer = {0, 1, {0xffffffff}, {{0, opacity}}};
            const double expected = 255 * (1 - std::pow(1 - opacity, 9));
            const std::uint32_t pixel = at(drawn(*renderer, volume, request), 3, 2);
            EXPECT_NEAR(pixel >> 24U, expected, 1.5);
            EXPECT_NEAR(pixel & 0xffU, expected, 1.5);  // premultiplied white, unlit without a slope
        }
    }
}

TEST(Raycast, WhatIsInFrontHidesWhatIsBehind) {
    const auto volume = volumeOf({8, 16, 8}, io::PixelType::f32, [](auto, auto y, auto) { return y < 8 ? 0.0 : 1.0; });
    const auto renderer = cpuRenderer();
    for (const double yaw : {0.0, 180.0}) {
        FrameRequest request = oneToOne(*volume, yaw, 0, 8, 8);
        request.mode = Mode::shaded;
        request.transfer = {0, 1, {0xffff0000, 0xff0000ff}, {{0, 1}}};
        EXPECT_EQ(at(drawn(*renderer, volume, request), 4, 4), yaw == 0 ? 0xffff0000 : 0xff0000ff);
    }
}

TEST(Raycast, ASurfaceAcrossTheRayIsBrighterThanOneAlongIt) {
    const auto volume = volumeOf({40, 40, 40}, io::PixelType::f32, [](auto x, auto y, auto z) {
        return 20 -
               std::hypot(static_cast<double>(x) - 19.5, static_cast<double>(y) - 19.5, static_cast<double>(z) - 19.5);
    });
    const auto renderer = cpuRenderer();
    for (const bool fine : {true, false}) {
        FrameRequest request = oneToOne(*volume, 30, 20, 40, 40);
        request.mode = Mode::shaded;
        request.fine = fine;
        request.transfer = {0, 10, {0xffffffff}, {{0.39, 0}, {0.4, 1}}};  // the surface of radius 16
        const Frame frame = drawn(*renderer, volume, request);
        EXPECT_GT(at(frame, 20, 20) & 0xffU, 235U);
        EXPECT_LT(at(frame, 20 + 15, 20) & 0xffU, 170U);
        EXPECT_GT(at(frame, 20 + 15, 20) & 0xffU, 60U);
        EXPECT_EQ(at(frame, 20 + 18, 20), 0U);
    }
}

TEST(Raycast, WhatIsNotANumberIsLeftOut) {
    const auto renderer = cpuRenderer();
    auto volume = volumeOf({9, 9, 9}, io::PixelType::f32, [](auto, auto, auto) { return kNan; });
    for (const Mode mode : {Mode::maximum, Mode::average, Mode::shaded}) {
        FrameRequest request = oneToOne(*volume, 0, 0, 9, 9);
        request.mode = mode;
        request.transfer = readable(0, 1);
        EXPECT_EQ(at(drawn(*renderer, volume, request), 4, 4), 0U);
    }
    volume = volumeOf({9, 9, 9}, io::PixelType::f32, [](auto, auto y, auto) { return y == 4 ? kNan : 0.25F; });
    FrameRequest request = oneToOne(*volume, 0, 0, 9, 9);
    request.transfer = readable(0, 1);
    for (const Mode mode : {Mode::maximum, Mode::average}) {
        request.mode = mode;
        EXPECT_NEAR(valueIn(at(drawn(*renderer, volume, request), 4, 4), request.transfer), 0.25, 1e-3);
    }
}

}  // namespace
}  // namespace warplens::gpu::render
