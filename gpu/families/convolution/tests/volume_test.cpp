// SPDX-License-Identifier: Apache-2.0
// Convolution in three dimensions: registry x border x type x extents x radii against the double reference, and the
// definition itself against values worked out by hand.
#include "gpu/core/error.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace warplens::gpu::testing {
namespace {

const std::vector<std::string> kBorders{"zero", "replicate", "reflect", "wrap"};
const std::set<std::string> kRungs{"naive", "constant", "tiled_output"};

ParameterValues volumeFilter(const std::string& filter, std::int64_t radius, const std::string& border) {
    return {{"dimensions", std::string("3")}, {"filter", filter}, {"radius", radius}, {"border", border}};
}

ParameterValues custom(const std::string& matrix, const std::string& border) {
    return {
        {"dimensions", std::string("3")}, {"filter", std::string("custom")}, {"matrix", matrix}, {"border", border}};
}

class VolumeOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { needDevice(GetParam()); }

    /// The three rungs are ok, everything else is unsupported and says why.
    void expectThreeRungs(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                          const std::string& what) {
        for (const auto& run : m_runner.run(requestFor(input, parameters, GetParam())).runs) {
            if (!kRungs.contains(run.variant)) {
                ASSERT_EQ(run.status, Status::unsupported) << what << ": " << run.variant;
                ASSERT_NE(run.reason.find("two dimensions only"), std::string::npos)
                    << run.variant << ": " << run.reason;
                continue;
            }
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            ASSERT_EQ(run.verification->checkedShare, 1.0) << what;
        }
    }

    /// The result of each rung at every z of a column.
    std::vector<std::vector<float>> columns(const std::shared_ptr<const io::Grid>& input,
                                            const ParameterValues& parameters) {
        std::vector<std::vector<float>> all;
        for (const auto& run : m_runner.run(requestFor(input, parameters, GetParam())).runs) {
            if (!kRungs.contains(run.variant)) continue;
            const auto* values = run.result.picture->as<float>();
            all.emplace_back(values, values + input->shape().values());
        }
        return all;
    }

    Runner m_runner;
};

TEST_P(VolumeOnDevice, EveryTypeExtentBorderAndRadius) {
    for (const io::Shape shape : {io::Shape{1, 1, 1}, io::Shape{2, 3, 5}, io::Shape{5, 7, 11}, io::Shape{33, 9, 17},
                                  io::Shape{1, 13, 2}, io::Shape{37, 11, 3}}) {
        for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
            for (const auto& border : kBorders) {
                for (const int radius : {0, 1, 2, 3}) {
                    expectThreeRungs(noise(shape, type), volumeFilter("gaussian", radius, border),
                                     std::to_string(shape.width) + "x" + std::to_string(shape.height) + "x" +
                                         std::to_string(shape.depth) + " " + io::nameOf(type) + " " + border + " r" +
                                         std::to_string(radius));
                }
            }
        }
    }
}

TEST_P(VolumeOnDevice, EveryFilterAndChannels) {
    for (const std::string filter : {"identity", "box", "gaussian", "laplacian"}) {
        for (const int channels : {1, 3, 4}) {
            for (const auto& border : kBorders) {
                expectThreeRungs(noise({19, 7, 6, channels}, io::PixelType::u8), volumeFilter(filter, 2, border),
                                 filter + " c" + std::to_string(channels) + " " + border);
            }
        }
    }
    auto alpha = volumeFilter("box", 1, "wrap");
    alpha["alpha"] = std::string("filter");
    expectThreeRungs(noise({19, 7, 6, 4}, io::PixelType::f32), alpha, "alpha filtered");
}

TEST_P(VolumeOnDevice, BoxesThatAreNoCubes) {
    for (const auto& [w, h, d] :
         std::vector<std::array<int, 3>>{{1, 1, 7}, {7, 1, 3}, {3, 5, 1}, {1, 7, 3}, {5, 3, 7}}) {
        std::string matrix;
        for (int k = 0; k < d; ++k) {
            for (int j = 0; j < h; ++j) {
                for (int i = 0; i < w; ++i) matrix += std::to_string(((i * 7 + j * 13 + k * 5) % 19 - 4) / 190.0) + " ";
                matrix += "\n";
            }
            matrix += "\n";
        }
        for (const auto& border : kBorders)
            expectThreeRungs(noise({18, 10, 9}, io::PixelType::f32), custom(matrix, border), matrix + border);
    }
}

TEST_P(VolumeOnDevice, ReachesAcrossSlicesAsEachBorderSays) {
    auto grid = std::make_shared<io::Grid>(io::Shape{1, 1, 4}, io::PixelType::f32);
    for (int z = 0; z < 4; ++z) grid->setValue(0, 0, z, 0, std::pow(10, z));
    // out(z) = 1 in(z - 1) + 2 in(z) + 4 in(z + 1)
    const std::map<std::string, std::vector<float>> expected{{"zero", {42, 421, 4210, 2100}},
                                                             {"replicate", {43, 421, 4210, 6100}},
                                                             {"reflect", {52, 421, 4210, 2500}},
                                                             {"wrap", {1042, 421, 4210, 2104}}};
    for (const auto& [border, values] : expected) {
        const auto all = columns(grid, custom("1;;2;;4", border));
        ASSERT_EQ(all.size(), 3U);
        for (const auto& column : all) EXPECT_EQ(column, values) << border;
    }
}

TEST_P(VolumeOnDevice, AnImpulseBringsOutTheFilterTurnedAround) {
    auto grid = std::make_shared<io::Grid>(io::Shape{5, 5, 5}, io::PixelType::f32);
    std::fill_n(grid->as<float>(), 125, 0.0F);
    grid->setValue(2, 2, 2, 0, 1);
    std::string matrix;
    for (int i = 0; i < 27; ++i) matrix += std::to_string(i + 1) + (i % 9 == 8 ? ";;" : i % 3 == 2 ? ";" : " ");
    for (const auto& values : columns(grid, custom(matrix, "zero"))) {
        for (int z = 0; z < 5; ++z) {
            for (int y = 0; y < 5; ++y) {
                for (int x = 0; x < 5; ++x) {
                    const bool near = x >= 1 && x <= 3 && y >= 1 && y <= 3 && z >= 1 && z <= 3;
                    const int weight = near ? (3 - z) * 9 + (3 - y) * 3 + (3 - x) + 1 : 0;
                    EXPECT_EQ(values[static_cast<std::size_t>((z * 5 + y) * 5 + x)], static_cast<float>(weight))
                        << x << y << z;
                }
            }
        }
    }
}

TEST_P(VolumeOnDevice, EveryBlockShape) {
    const auto input = noise({45, 21, 11}, io::PixelType::f32);
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{8, 8}, {64, 4}, {33, 7}, {1, 5}, {256, 1}, {32, 16}}) {
        auto request = requestFor(input, volumeFilter("box", 2, "reflect"), GetParam());
        request.variants = {kRungs.begin(), kRungs.end()};
        request.tunables = {{"block_width", width}, {"block_height", height}};
        for (const auto& run : m_runner.run(request).runs) {
            if (run.variant == "tiled_output" && width * height * 4 > 1024) {
                EXPECT_NE(run.reason.find("x 4 = "), std::string::npos) << run.reason;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << width << "x" << height << ": " << describe(run);
        }
    }
}

TEST_P(VolumeOnDevice, MoreSlicesThanAGridHasLayers) {
    auto request = requestFor(noise({1, 1, 66000}, io::PixelType::u8), volumeFilter("box", 1, "wrap"), GetParam());
    request.variants = {"constant"};
    request.tunables = {{"block_width", 1}, {"block_height", 1}};
    const auto run = m_runner.run(request).runs.front();
    EXPECT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_EQ(run.launch->kernels, 2);
}

TEST(Volume, LargeOnesAreSampledWithEveryEnd) {
    auto request = requestFor(noise({200, 160, 40}, io::PixelType::u8), volumeFilter("box", 3, "wrap"), "cpu");
    request.variants = {"constant"};
    const auto comparison = Runner().run(request);
    const auto run = comparison.runs.front();
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_LT(run.verification->checkedShare, 1.0);
    EXPECT_EQ(comparison.facts.front(), "7 x 7 x 7 weights");
    EXPECT_EQ(comparison.work.operations, 2.0 * 343 * 200 * 160 * 40);
    // A single wrong value in the last slices must be seen: each of them has tiles in its corners.
    for (const std::int64_t z : {0, 1, 2, 37, 38, 39}) {
        auto broken = std::make_shared<io::Grid>(run.result.picture->clone());
        broken->setValue(199, 159, z, 0, broken->value(199, 159, z, 0) > 128 ? 0 : 255);
        RunRecord copy = run;
        copy.result.picture = broken;
        EXPECT_EQ(Runner().verify(request, copy).status, Status::wrong) << "slice " << z;
    }
}

TEST(Volume, RefusesWhatHasNoThirdDimensionAndSaysWhatHas) {
    const auto refusal = [](const ParameterValues& parameters) {
        try {
            Runner().run(requestFor(noise({4, 4, 4}, io::PixelType::u8), parameters, "cpu"));
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::argument);
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    for (const auto& parameter : familyOf("convolution").parameters()) {
        if (parameter.id != "filter") continue;
        for (const auto& filter : parameter.choices) {
            const bool known =
                std::set<std::string>{"identity", "box", "gaussian", "laplacian", "custom"}.contains(filter);
            const auto said = refusal(volumeFilter(filter, 1, "zero"));
            if (known)
                EXPECT_EQ(said, "accepted") << filter;
            else
                EXPECT_NE(said.find("two dimensions only"), std::string::npos) << filter << ": " << said;
        }
    }
    EXPECT_NE(refusal(volumeFilter("box", 4, "zero")).find("radius of 0 to 3"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Convolution, VolumeOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
