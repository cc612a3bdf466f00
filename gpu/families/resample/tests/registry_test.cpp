// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each method, type, number of channels and ratio; results that were worked out by hand; and
// what holds of every filter.
#include "gpu/core/error.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "tests/support/family_on_device.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::HasSubstr;

constexpr const char* kMethods[] = {"nearest", "bilinear", "catmull-rom", "bicubic", "lanczos", "area"};

ParameterValues resized(const char* method, std::int64_t width, std::int64_t height, bool antialias = true) {
    return {{"method", std::string(method)}, {"width", width}, {"height", height}, {"antialias", antialias}};
}

ParameterValues rotated(const char* method, double angle, const char* border = "zero", const char* canvas = "grow") {
    return {{"task", std::string("rotate")},
            {"method", std::string(method)},
            {"angle", angle},
            {"border", std::string(border)},
            {"canvas", std::string(canvas)}};
}

class Resample : public FamilyOnDevice {
protected:
    Resample() : FamilyOnDevice("resample") {}

    std::set<std::string> okOf(const io::Shape& shape, PixelType type, const ParameterValues& values,
                               const TunableValues& tunables = {}) {
        std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " + io::nameOf(type);
        for (const auto& [id, value] : values) what += " " + id + "=" + format(value);
        return expectAllOk(noise(shape, type, 3), values, what, {}, tunables);
    }
    /// What every row makes of one row of floats.
    void expectMade(const ParameterValues& values, const std::vector<float>& from,
                    const std::vector<double>& expected) {
        auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(from.size()), 1}, PixelType::f32);
        std::ranges::copy(from, grid->as<float>());
        for (const auto& run : m_runner.run(requestOf(grid, values)).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            ASSERT_EQ(run.result.picture->shape().width, static_cast<std::int64_t>(expected.size()));
            // OpenCV's places of rotations are 32nds of a pixel, and values 200 apart.
            const double off = run.variant == "opencv" && values.contains("task") ? 200.0 / 32 : 1e-4;
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_NEAR(run.result.picture->value(static_cast<std::int64_t>(i), 0), expected[i], off)
                    << run.variant << ' ' << format(values.at("method")) << ' ' << i;
        }
    }
};

TEST_P(Resample, EveryMethodTypeAndRatio) {
    const std::set<std::string> kernels{"naive", "tables", "separable", "fused"};
    for (const char* method : kMethods) {
        const auto expectKernels = [&](const io::Shape& shape, PixelType type, const ParameterValues& values) {
            auto ok = okOf(shape, type, values);
            ok.erase("opencv");
            EXPECT_EQ(ok, kernels) << method;
        };
        expectKernels({37, 29}, PixelType::f32, resized(method, 17, 31));
        expectKernels({37, 29}, PixelType::f32, resized(method, 17, 11, false));
        expectKernels({23, 17, 1, 3}, PixelType::u8, resized(method, 41, 37));
        expectKernels({24, 20, 1, 4}, PixelType::u16, resized(method, 8, 5));
        expectKernels({11, 9, 3}, PixelType::u8, resized(method, 7, 20));
        expectKernels({1, 33}, PixelType::f32, resized(method, 3, 7));
        expectKernels({31, 1}, PixelType::u8, resized(method, 1, 1));
        expectKernels({13, 7}, PixelType::u8, resized(method, 13, 7));
    }
}

TEST_P(Resample, OpenCvMakesTheSameWhereItsDefinitionIs) {
    EXPECT_TRUE(okOf({37, 29}, PixelType::f32, resized("bilinear", 61, 60)).contains("opencv"));
    EXPECT_TRUE(okOf({37, 29, 1, 3}, PixelType::u8, resized("bicubic", 61, 60)).contains("opencv"));
    EXPECT_TRUE(okOf({37, 29}, PixelType::u8, resized("bilinear", 20, 11, false)).contains("opencv"));
    EXPECT_TRUE(okOf({37, 29}, PixelType::u16, resized("area", 20, 11)).contains("opencv"));
    EXPECT_FALSE(okOf({37, 29}, PixelType::u8, resized("bilinear", 20, 11)).contains("opencv"));
    EXPECT_FALSE(okOf({37, 29}, PixelType::u8, resized("lanczos", 61, 60)).contains("opencv"));
}

TEST_P(Resample, RotatesByEveryMethodBorderAndType) {
    const std::set<std::string> kernels{"naive", "turned", "turned_tile"};
    double angle = -170;
    for (const char* method : kMethods) {
        if (std::string(method) == "area") continue;
        const bool opencv = std::string(method) == "bilinear" || std::string(method) == "bicubic";
        for (const char* border : {"zero", "replicate", "reflect", "wrap"}) {
            const auto expectRows = [&](const io::Shape& shape, PixelType type, const char* canvas) {
                auto expected = kernels;
                if (opencv) expected.insert("opencv");
                EXPECT_EQ(okOf(shape, type, rotated(method, angle, border, canvas)), expected) << method << border;
                angle += angle > 300 ? -470 : 23.5;
            };
            expectRows({37, 29}, PixelType::f32, "grow");
            expectRows({23, 17, 1, 3}, PixelType::u8, "keep");
            expectRows({13, 19, 1, 4}, PixelType::u16, "grow");
            expectRows({7, 5, 3}, PixelType::u8, "keep");
            expectRows({1, 31}, PixelType::f32, "grow");
            expectRows({1, 1}, PixelType::u8, "grow");
        }
    }
}

TEST_P(Resample, RotatesByRightAnglesWithoutAnotherValue) {
    const auto input = noise({6, 4}, PixelType::u8);
    for (const char* method : {"nearest", "bilinear", "catmull-rom", "bicubic", "lanczos"})
        for (const auto& run : m_runner.run(requestOf(input, rotated(method, 90))).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            ASSERT_EQ(run.result.picture->shape(), (io::Shape{4, 6}));
            // Clockwise: the lowest row becomes the first column.
            for (std::int64_t y = 0; y < 6; ++y)
                for (std::int64_t x = 0; x < 4; ++x)
                    EXPECT_EQ(run.result.picture->value(x, y), input->value(y, 3 - x)) << run.variant << method;
        }
}

TEST_P(Resample, EveryTunable) {
    for (const Variant& variant : familyOf("resample").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices.empty() ? std::vector<int>{1, 4, 16} : tunable.choices)
                EXPECT_FALSE(
                    expectAllOk(noise({45, 38}, PixelType::u8),
                                variant.id.starts_with("turned") ? rotated("bicubic", 31) : resized("bicubic", 35, 70),
                                tunable.id, {variant.id}, {{tunable.id, value}})
                        .empty());
}

TEST_P(Resample, ValuesWorkedOutByHand) {
    const std::vector<float> four{0, 100, 200, 400};
    expectMade(resized("nearest", 2, 1), four, {100, 400});
    expectMade(resized("nearest", 8, 1), four, {0, 0, 100, 100, 200, 200, 400, 400});
    expectMade(resized("area", 2, 1), four, {50, 300});
    // 4 / 3 pixels each: (0 + 100 / 3) / (4 / 3), (2 / 3 100 + 2 / 3 200) / (4 / 3), (200 / 3 + 400) / (4 / 3).
    expectMade(resized("area", 3, 1), four, {25, 150, 350});
    // Centres at -1/4, 1/4, 3/4 ...: quarters of neighbours.
    expectMade(resized("bilinear", 8, 1), four, {0, 25, 75, 125, 175, 250, 350, 400});
    expectMade(resized("bilinear", 2, 1, false), four, {50, 300});
    // Widened to 2: weights 1/8, 3/8, 3/8, 1/8 of pixels -1 to 2, the first being pixel 0.
    expectMade(resized("bilinear", 2, 1), four, {62.5, 287.5});
    // By 60 degrees about the middle of its own row: places 1.5 + (x - 1.5) / 2; 0.75, 1.25, 1.75, 2.25 across, and
    // sqrt(3) / 2 (1.5 - x) off the row, 1.3, 0.43, -0.43, -1.3: beyond the edge lies the edge's pixel.
    expectMade(rotated("bilinear", 60, "replicate", "keep"), four, {75, 125, 175, 250});
    // With zeros outside 1 - 0.4330 of the row is left.
    expectMade(rotated("bilinear", 60, "zero", "keep"), four, {0, 125 * 0.5669873, 175 * 0.5669873, 0});
    // At 1/2 Catmull-Rom weighs -1, 9, 9, -1 sixteenths, OpenCV's cubic -3, 19, 19, -3 of 32.
    expectMade(resized("catmull-rom", 2, 1, false), four,
               {(9 * 0 + 9 * 100 - 200) / 16.0, (-100 + 9 * 600 - 400) / 16.0});
    expectMade(resized("bicubic", 2, 1, false), four, {(19 * 100 - 3 * 200) / 32.0, (-300 + 19 * 600 - 1200) / 32.0});
}

TEST_P(Resample, KeepsAFlatPictureAndTheSameSize) {
    auto flat = std::make_shared<io::Grid>(io::Shape{19, 23}, PixelType::u8);
    std::fill_n(flat->as<std::uint8_t>(), 19 * 23, std::uint8_t{77});
    const auto busy = noise({19, 23}, PixelType::u8);
    for (const char* method : kMethods) {
        for (const auto& [width, height] : {std::pair{7, 40}, {19, 23}, {33, 5}})
            for (const auto& run : m_runner.run(requestOf(flat, resized(method, width, height))).runs)
                for (std::int64_t i = 0; run.status == Status::ok && i < run.result.picture->shape().values(); ++i)
                    ASSERT_EQ(run.result.picture->as<std::uint8_t>()[i], 77) << run.variant << ' ' << method;
        for (const auto& run : m_runner.run(requestOf(busy, resized(method, 19, 23))).runs) {
            if (run.status != Status::ok) continue;
            EXPECT_EQ(std::memcmp(run.result.picture->data(), busy->data(), busy->bytes()), 0) << run.variant;
        }
    }
}

TEST(ResampleSizes, FollowFromWhatIsGiven) {
    const Family& family = familyOf("resample");
    const auto input = noise({40, 30}, PixelType::u8);
    const auto sizeOf = [&](const ParameterValues& values) {
        Runner runner;
        Request request = requestFor("resample", input, values, "cpu");
        request.variants = {"tables"};
        const io::Shape s = runner.run(request).runs.front().result.picture->shape();
        return std::pair{s.width, s.height};
    };
    using Size = std::pair<std::int64_t, std::int64_t>;
    EXPECT_EQ(sizeOf({}), Size(20, 15));
    EXPECT_EQ(sizeOf({{"magnification", 1.5}}), Size(60, 45));
    EXPECT_EQ(sizeOf({{"width", std::int64_t{20}}}), Size(20, 15));
    EXPECT_EQ(sizeOf({{"height", std::int64_t{60}}}), Size(80, 60));
    EXPECT_EQ(sizeOf({{"width", std::int64_t{7}}, {"height", std::int64_t{9}}}), Size(7, 9));
    EXPECT_EQ(sizeOf({{"magnification", 0.001}}), Size(1, 1));
    const auto problem = family.pose(noise({7, 4000}, PixelType::u8), resized("lanczos", 7, 2));
    const Variant& fused = variantOf(family, "fused");
    EXPECT_THAT(problem->refusal(fused, resolve(fused, {}), simtDeviceInfo()), HasSubstr("shared memory"));
}

TEST(ResampleSizes, OfRotations) {
    const auto sizeOf = [&](const ParameterValues& values) {
        return familyOf("resample").pose(noise({40, 30}, PixelType::u8), values)->work().bytesWritten;
    };
    EXPECT_EQ(sizeOf(rotated("bilinear", 30, "zero", "keep")), 40 * 30);
    // 40 cos 30 + 30 sin 30 = 49.64, 30 cos 30 + 40 sin 30 = 45.98.
    EXPECT_EQ(sizeOf(rotated("bilinear", 30)), 50 * 46);
    EXPECT_EQ(sizeOf(rotated("bilinear", -90)), 30 * 40);
    EXPECT_THROW(sizeOf(rotated("area", 30)), Error);
    io::Grid flat(io::Shape{4, 4}, PixelType::u8);
    flat.geometry.spacing = {0.5, 0.7, 1};
    const auto oblong = std::make_shared<const io::Grid>(std::move(flat));
    EXPECT_THROW(static_cast<void>(familyOf("resample").pose(oblong, rotated("bilinear", 30))), Error);
}

TEST(ResampleSizes, KeepRotatedPixelsWhereTheyWere) {
    auto input = noise({40, 30, 2}, PixelType::u8);
    input->geometry.spacing = {0.5, 0.5, 2};
    Runner runner;
    Request request = requestFor("resample", input, rotated("nearest", 90), "cpu");
    request.variants = {"naive"};
    const io::Geometry made = runner.run(request).runs.front().result.picture->geometry;
    // The first pixel is what was the lowest of the first column; steps to the right went up.
    EXPECT_NEAR(made.origin[0], 0, 1e-9);
    EXPECT_NEAR(made.origin[1], 29 * 0.5, 1e-9);
    EXPECT_NEAR(made.direction[0], 0, 1e-9);
    EXPECT_NEAR(made.direction[3], -1, 1e-9);
    EXPECT_NEAR(made.direction[1], 1, 1e-9);
}

TEST(ResampleSizes, KeepOuterEdgesWhereTheyWere) {
    auto input = noise({40, 30, 2}, PixelType::u8);
    input->geometry.spacing = {0.5, 0.5, 2};
    Runner runner;
    Request request = requestFor("resample", input, resized("area", 20, 10), "cpu");
    request.variants = {"tables"};
    const io::Geometry made = runner.run(request).runs.front().result.picture->geometry;
    EXPECT_DOUBLE_EQ(made.spacing[0], 1);
    EXPECT_DOUBLE_EQ(made.spacing[1], 1.5);
    EXPECT_DOUBLE_EQ(made.spacing[2], 2);
    EXPECT_DOUBLE_EQ(made.origin[0] - made.spacing[0] / 2, input->geometry.origin[0] - 0.25);
    EXPECT_DOUBLE_EQ(made.origin[1] - made.spacing[1] / 2, input->geometry.origin[1] - 0.25);
}

INSTANTIATE_TEST_SUITE_P(Resample, Resample, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
