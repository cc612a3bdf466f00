// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each type, number of channels, border and size, beside OpenCV where it has the filter; and
// values that were worked out by hand.
#include "gpu/device/simt/simt_device.hpp"
#include "tests/support/family_on_device.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::HasSubstr;

ParameterValues averaged(std::int64_t radius, const char* border, double space = 2, double value = 15) {
    return {{"radius", radius}, {"border", std::string(border)}, {"sigma-space", space}, {"sigma-value", value}};
}

class Bilateral : public FamilyOnDevice {
protected:
    Bilateral() : FamilyOnDevice("bilateral") {}

    std::set<std::string> okOf(const io::Shape& shape, PixelType type, const ParameterValues& values,
                               const TunableValues& tunables = {}) {
        std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " + io::nameOf(type);
        for (const auto& [id, value] : values) what += " " + id + "=" + format(value);
        return expectAllOk(noise(shape, type, 3), values, what, {}, tunables);
    }
    /// All kernels, the table of differences for integers alone, and OpenCV where it has the filter.
    void expectRows(const io::Shape& shape, PixelType type, const ParameterValues& values, bool opencv) {
        std::set<std::string> expected{"naive", "space_table", "tiled", "columns"};
        if (type != PixelType::f32) expected.insert("value_table");
        if (opencv) expected.insert("opencv");
        EXPECT_EQ(okOf(shape, type, values), expected) << shape.width << 'x' << shape.height << io::nameOf(type);
    }
    /// What every row makes of a row of floats.
    void expectMade(const std::vector<float>& from, const ParameterValues& values, const std::vector<double>& expected,
                    double off = 1e-5) {
        auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(from.size()), 1}, PixelType::f32);
        std::ranges::copy(from, grid->as<float>());
        int rows = 0;
        for (const auto& run : m_runner.run(requestOf(grid, values)).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const double made = run.result.picture->value(static_cast<std::int64_t>(i), 0);
                if (std::isnan(expected[i]))
                    EXPECT_TRUE(std::isnan(made)) << run.variant << ' ' << i;
                else if (std::isinf(expected[i]))
                    EXPECT_EQ(made, expected[i]) << run.variant << ' ' << i;
                else
                    EXPECT_NEAR(made, expected[i], off) << run.variant << ' ' << i;
            }
            ++rows;
        }
        EXPECT_GE(rows, 4);
    }
};

TEST_P(Bilateral, EveryTypeChannelBorderAndSize) {
    for (const char* border : {"zero", "replicate", "reflect", "wrap"}) {
        const bool floats = std::string(border) != "zero";
        expectRows({37, 19}, PixelType::f32, averaged(3, border), floats);
        expectRows({23, 17}, PixelType::u8, averaged(5, border), true);
        expectRows({19, 13}, PixelType::u16, averaged(2, border), false);
        expectRows({17, 11, 1, 3}, PixelType::u8, averaged(2, border), true);
        expectRows({13, 7, 1, 3}, PixelType::f32, averaged(1, border), floats);
        expectRows({11, 9, 1, 4}, PixelType::u8, averaged(2, border), true);
        expectRows({7, 5, 3}, PixelType::u8, averaged(1, border), true);
        expectRows({1, 1}, PixelType::u8, averaged(1, border), true);
        expectRows({1, 29}, PixelType::u16, averaged(4, border), false);
        expectRows({31, 1, 1, 3}, PixelType::u16, averaged(7, border), false);
    }
    ParameterValues all = averaged(2, "reflect");
    all["alpha"] = std::string("filter");
    expectRows({13, 11, 1, 4}, PixelType::u8, all, false);
    expectRows({9, 7, 1, 4}, PixelType::f32, averaged(3, "reflect", 0.1, 1000), true);
    expectRows({33, 40}, PixelType::u8, averaged(15, "reflect", 100, 0.01), true);
}

TEST_P(Bilateral, EveryTunable) {
    for (const Variant& variant : familyOf("bilateral").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : {1, 5, 16})
                EXPECT_FALSE(expectAllOk(noise({21, 18}, PixelType::u8), averaged(2, "reflect"), tunable.id,
                                         {variant.id}, {{tunable.id, value}})
                                 .empty());
}

TEST_P(Bilateral, ValuesWorkedOutByHand) {
    // Far steps stay: their weight is exp(-2 (1 / 0.01)^2). Near values become means.
    expectMade({0, 0, 1, 1}, averaged(1, "replicate", 1, 1), {0, 0, 1, 1});
    // exp(-1/2) = 0.60653 by distance; by difference 0.2 of sigma 0.2 as much again: 0.36788.
    const double near = std::exp(-0.5), both = std::exp(-1.0);
    expectMade({0.5F, 0.5F, 0.7F, 0.7F}, averaged(1, "replicate", 1, 20),
               {0.5, (0.5 + near * 0.5 + both * 0.7 + 2 * near * 0.5) / (1 + near + both + 2 * near),
                (0.7 + near * 0.7 + both * 0.5 + 2 * near * 0.7) / (1 + near + both + 2 * near), 0.7},
               2e-5);
    // What is no number counts nowhere, and stays.
    const float none = std::numeric_limits<float>::quiet_NaN(), endless = std::numeric_limits<float>::infinity();
    expectMade({0.25F, none, 0.25F, endless, 0.25F}, averaged(2, "replicate"),
               {0.25, std::numeric_limits<double>::quiet_NaN(), 0.25, std::numeric_limits<double>::infinity(), 0.25});
}

TEST(BilateralRows, SayWhatTheyDoNotTake) {
    const Family& family = familyOf("bilateral");
    const auto whyNot = [&](const char* row, const io::Shape& shape, PixelType type, const ParameterValues& values) {
        const Variant& variant = variantOf(family, row);
        return family.pose(noise(shape, type), values)->refusal(variant, resolve(variant, {}), simtDeviceInfo());
    };
    ParameterValues wide = averaged(50, "reflect");
    wide["alpha"] = std::string("filter");
    EXPECT_THAT(whyNot("columns", {9, 9, 1, 4}, PixelType::u8, wide), HasSubstr("shared memory"));
    EXPECT_THAT(whyNot("value_table", {9, 9}, PixelType::f32, {}), HasSubstr("floats"));
    EXPECT_THAT(whyNot("opencv", {9, 9}, PixelType::u16, {}), HasSubstr("bytes and floats"));
    EXPECT_THAT(whyNot("opencv", {9, 9}, PixelType::f32, averaged(1, "zero")), HasSubstr("another border"));
}

INSTANTIATE_TEST_SUITE_P(Bilateral, Bilateral, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
