// SPDX-License-Identifier: Apache-2.0
// Convolution in three dimensions: registry x border x type x extents x radii against the double reference, and the
// definition itself against values worked out by hand.
#include "gpu/core/error.hpp"
#include "gpu/families/convolution/reference.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace warplens::gpu::testing {
namespace {

const std::vector<std::string> kBorders{"zero", "replicate", "reflect", "wrap"};

/// The rungs that take any filter of these sides: not the one whose block is the input tile where no block is so large.
std::set<std::string> directFor(int width, int height, int depth) {
    std::set<std::string> rungs{"naive",          "constant",       "border_per_tap", "coarsened",
                                "coarsened_both", "texture",        "line_tiled",     "tiled_output",
                                "halo_cached",    "register_tiled", "streamed",       "register_blocked"};
    if (width * height * depth <= 1024) rungs.insert("tiled_input");
    return rungs;
}

/// The rungs that take a Gaussian or a box of these sides.
std::set<std::string> separableFor(int width, int height, int depth, std::int64_t sharedBytes) {
    std::set<std::string> rungs{"separable", "separable_ring"};
    if (std::max({width, height, depth}) <= 11) rungs.merge(directFor(width, height, depth));
    const bool cube = width == height && width == depth;
    if (cube && width >= 3 && width <= 15) rungs.insert("separable_streamed");
    // Of 32 x 8 threads, four outputs each behind each other: the box, and its rows filtered.
    if (4 * (32 + width - 1 + 32) * (8 + height - 1) * (4 + depth - 1) <= sharedBytes) rungs.insert("separable_fused");
    return rungs;
}

ParameterValues volumeFilter(const std::string& filter, std::int64_t radius, const std::string& border) {
    return {{"dimensions", std::string("3")}, {"filter", filter}, {"radius", radius}, {"border", border}};
}

ParameterValues custom(const std::string& matrix, const std::string& border) {
    return {
        {"dimensions", std::string("3")}, {"filter", std::string("custom")}, {"matrix", matrix}, {"border", border}};
}

class VolumeOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (!IsSkipped()) m_sharedBytes = openDevice(GetParam())->info().sharedBytesPerBlock;
    }

    std::set<std::string> rungsFor(int width, int height, int depth) const {
        return separableFor(width, height, depth, m_sharedBytes);
    }
    std::set<std::string> rungsFor(int r) const { return rungsFor(2 * r + 1, 2 * r + 1, 2 * r + 1); }

    /// These rungs are ok, everything else is unsupported and says why.
    void expectRungs(const std::set<std::string>& rungs, const std::shared_ptr<const io::Grid>& input,
                     const ParameterValues& parameters, const std::string& what) {
        std::set<std::string> ok;
        for (const auto& run : m_runner.run(requestFor(input, parameters, GetParam())).runs) {
            if (run.status == Status::unsupported) {
                ASSERT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            ASSERT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            ASSERT_EQ(run.verification->checkedShare, 1.0) << what;
            ok.insert(run.variant);
        }
        ASSERT_EQ(ok, rungs) << what;
    }

    /// The result of each rung at every z of a column.
    std::vector<std::vector<float>> columns(const std::shared_ptr<const io::Grid>& input,
                                            const ParameterValues& parameters) {
        std::vector<std::vector<float>> all;
        for (const auto& run : m_runner.run(requestFor(input, parameters, GetParam())).runs) {
            if (run.status != Status::ok) continue;
            const auto* values = run.result.picture->as<float>();
            all.emplace_back(values, values + input->shape().values());
        }
        return all;
    }

    std::int64_t m_sharedBytes = 0;
    Runner m_runner;
};

TEST_P(VolumeOnDevice, EveryTypeExtentBorderAndRadius) {
    for (int place = 0; const io::Shape shape : {io::Shape{1, 1, 1}, io::Shape{2, 3, 5}, io::Shape{5, 7, 11},
                                                 io::Shape{33, 9, 17}, io::Shape{1, 13, 2}, io::Shape{37, 11, 3}}) {
        ++place;
        for (int t = place; const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
            ++t;
            for (int b = t; const auto& border : kBorders) {
                ++b;
                for (const int radius : {b % 2, 2 + b / 2 % 2}) {
                    expectRungs(rungsFor(radius), noise(shape, type), volumeFilter("gaussian", radius, border),
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
                expectRungs(filter == "laplacian" ? directFor(5, 5, 5) : rungsFor(2),
                            noise({19, 7, 6, channels}, io::PixelType::u8), volumeFilter(filter, 2, border),
                            filter + " c" + std::to_string(channels) + " " + border);
            }
        }
    }
    auto alpha = volumeFilter("box", 1, "wrap");
    alpha["alpha"] = std::string("filter");
    expectRungs(rungsFor(1), noise({19, 7, 6, 4}, io::PixelType::f32), alpha, "alpha filtered");
}

TEST_P(VolumeOnDevice, EveryRadius) {
    const std::vector<io::PixelType> types{io::PixelType::f32, io::PixelType::u8, io::PixelType::u16};
    for (std::size_t turn = 0; const int radius : {4, 5, 6, 7, 8, 11, 12, 15, 16, 24, 31, 32, 40, 63}) {
        const auto& border = kBorders[++turn % 4];
        expectRungs(rungsFor(radius), noise({71, 37, 19}, types[turn % 3]),
                    volumeFilter(turn % 2 == 0 ? "box" : "gaussian", radius, border),
                    border + " r" + std::to_string(radius));
    }
}

// Rows that begin anywhere in a sector, tiles that end anywhere.
TEST_P(VolumeOnDevice, EveryRemainderOf16) {
    const std::vector<io::PixelType> types{io::PixelType::f32, io::PixelType::u8, io::PixelType::u16};
    for (int n = 0; n < 16; ++n) {
        const auto turn = static_cast<std::size_t>(n);
        for (const int radius : {1, 3, 9}) {
            expectRungs(rungsFor(radius), noise({64 + n, 47 - n, 5 + n % 3}, types[turn % 3]),
                        volumeFilter("gaussian", radius, kBorders[turn / 4]),
                        std::to_string(64 + n) + " wide r" + std::to_string(radius));
        }
    }
}

TEST_P(VolumeOnDevice, SigmaInMillimetresGivesEachAxisItsOwnRadius) {
    auto input = std::make_shared<io::Grid>(noise({23, 17, 9}, io::PixelType::f32)->clone());
    input->geometry.spacing = {0.5, 0.8, 2.5};
    for (const auto& border : kBorders) {
        auto parameters = volumeFilter("gaussian", 10, border);
        parameters["sigma"] = 1.5;
        parameters["sigma-unit"] = std::string("mm");
        const auto comparison = m_runner.run(requestFor(input, parameters, GetParam()));
        EXPECT_EQ(comparison.facts.front(), "21 x 15 x 5 weights");
        expectRungs(rungsFor(21, 15, 5), input, parameters, border);
        parameters["radius"] = std::int64_t{3};
        expectRungs(rungsFor(7, 5, 3), input, parameters, border + " 7 x 5 x 3");
    }
}

TEST_P(VolumeOnDevice, BoxesThatAreNoCubes) {
    for (const auto& [w, h, d] : std::vector<std::array<int, 3>>{
             {7, 1, 3}, {3, 5, 1}, {1, 7, 3}, {5, 3, 7}, {11, 11, 11}, {9, 11, 3}, {9, 9, 11}, {1, 1, 9}}) {
        std::string matrix;
        for (int k = 0; k < d; ++k) {
            for (int j = 0; j < h; ++j) {
                for (int i = 0; i < w; ++i) matrix += std::to_string(((i * 7 + j * 13 + k * 5) % 19 - 4) / 190.0) + " ";
                matrix += "\n";
            }
            matrix += "\n";
        }
        for (const auto& border : kBorders)
            expectRungs(w * h == 1 ? rungsFor(w, h, d) : directFor(w, h, d), noise({18, 10, 9}, io::PixelType::f32),
                        custom(matrix, border), matrix + border);
    }
}

// No two axes alike, and none symmetric.
TEST_P(VolumeOnDevice, EachAxisHasItsOwnFactor) {
    constexpr std::array<std::array<int, 5>, 3> kFactors{{{1, 2, 4, 3, 1}, {2, 1, 5, 1, 3}, {1, 6, 2, 1, 4}}};
    std::string matrix;
    for (const int z : kFactors[2]) {
        for (const int y : kFactors[1]) {
            for (const int x : kFactors[0]) matrix += std::to_string(x * y * z) + " ";
            matrix += "\n";
        }
        matrix += "\n";
    }
    for (const auto& border : kBorders)
        expectRungs(rungsFor(2), noise({70, 35, 9}, io::PixelType::f32), custom(matrix, border), border);
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
        ASSERT_EQ(all.size(), rungsFor(1, 1, 3).size()) << "a stack is separable";
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

/// The kernels that take volumes and have this tunable.
std::vector<Variant> volumeRungsWith(const std::string& tunable) {
    std::vector<Variant> rungs;
    for (const Variant& variant : familyOf("convolution").variants()) {
        const bool has = std::ranges::find(variant.tunables, tunable, &Tunable::id) != variant.tunables.end();
        if (has && variant.kind == Variant::Kind::kernel && variant.dimensions.back() == 3) rungs.push_back(variant);
    }
    return rungs;
}

TEST_P(VolumeOnDevice, EveryBlockShape) {
    const std::vector<Variant> rungs = volumeRungsWith("block_width");
    ASSERT_GE(rungs.size(), 12U);
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{8, 8}, {16, 8}, {10, 10}, {64, 4}, {33, 7}, {1, 5}, {256, 1}, {32, 16}}) {
        auto request =
            requestFor(noise({45, 21, 11}, io::PixelType::f32), volumeFilter("box", 2, "reflect"), GetParam());
        for (const Variant& variant : rungs) request.variants.push_back(variant.id);
        request.tunables = {{"block_width", width}, {"block_height", height}};
        const int deep = std::min(64, 1024 / (width * height));
        for (const auto& run : m_runner.run(request).runs) {
            if (run.variant == "tiled_output" && width * height * 4 > 1024) {
                EXPECT_NE(run.reason.find("x 4 = "), std::string::npos) << run.reason;
                continue;
            }
            if (run.variant == "tiled_input" && (width < 5 || height < 5 || deep < 5)) {
                EXPECT_NE(run.reason.find("leaves no output"), std::string::npos) << run.reason;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << width << "x" << height << ": " << describe(run);
        }
    }
}

TEST_P(VolumeOnDevice, EveryNumberOfOutputsPerThread) {
    const auto input = noise({45, 21, 43}, io::PixelType::u16);
    for (const std::string id : {"outputs_per_thread", "columns_per_thread", "rows_per_thread"}) {
        const auto rungs = volumeRungsWith(id);
        ASSERT_FALSE(rungs.empty()) << id;
        for (const Variant& variant : rungs) {
            const Tunable& tunable = *std::ranges::find(variant.tunables, id, &Tunable::id);
            for (const int value : tunable.choices.empty() ? std::vector<int>{1, 3, 17, 40} : tunable.choices) {
                auto request = requestFor(input, volumeFilter("box", 1, "wrap"), GetParam());
                request.variants = {variant.id};
                request.tunables = {{id, value}};
                const auto run = m_runner.run(request).runs.front();
                EXPECT_EQ(run.status, Status::ok) << id << " " << value << ": " << describe(run);
            }
        }
    }
}

TEST_P(VolumeOnDevice, ABlockThatIsTheInputTileFitsTheFilterOrIsRefused) {
    const auto runWith = [&](std::int64_t radius) {
        auto request =
            requestFor(noise({30, 20, 12}, io::PixelType::u8), volumeFilter("box", radius, "zero"), GetParam());
        request.variants = {"tiled_input"};
        return m_runner.run(request).runs.front();
    };
    for (const unsigned radius : {0U, 1U, 2U, 3U, 4U}) {
        const auto run = runWith(radius);
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_GT(run.launch->block[2], 2 * radius);
        EXPECT_LE(run.launch->block[0] * run.launch->block[1] * run.launch->block[2], 1024U);
    }
    EXPECT_EQ(runWith(5).reason,
              "an input tile of at least 11 x 11 x 11 = 1331 threads per block; the device allows 1024");
}

TEST_P(VolumeOnDevice, NotANumberAndInfinityAgreeInClassAndPlace) {
    auto grid = noise({45, 19, 9}, io::PixelType::f32);
    grid->setValue(7, 9, 4, 0, std::numeric_limits<double>::quiet_NaN());
    grid->setValue(30, 2, 0, 0, std::numeric_limits<double>::infinity());
    grid->setValue(44, 18, 8, 0, -std::numeric_limits<double>::infinity());
    for (const auto& border : kBorders) {
        for (const std::string filter : {"gaussian", "laplacian"})
            expectRungs(filter == "laplacian" ? directFor(3, 3, 3) : rungsFor(1), grid, volumeFilter(filter, 1, border),
                        filter + " " + border);
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

// The reference of wide filters goes along the axes in turn; of small ones both are known.
TEST(Volume, TheReferenceByFactorsIsTheOneByWeights) {
    const auto input = noise({13, 11, 7, 3}, io::PixelType::f32);
    for (const auto& [name, border] : {std::pair{"zero", Border::zero}, std::pair{"replicate", Border::replicate},
                                       std::pair{"reflect", Border::reflect}, std::pair{"wrap", Border::wrap}}) {
        for (const int radius : {0, 1, 2, 5}) {
            const auto filter = convolution::makeFilter(volumeFilter("gaussian", radius, name), {1, 1, 1});
            ASSERT_TRUE(filter.isProduct());
            for (const convolution::Tile tile :
                 {convolution::Tile{0, 0, 0, 13, 11}, convolution::Tile{3, 2, 6, 4, 5}}) {
                const auto tiled = convolution::exactProduct(*input, filter, border, 0.25, tile, 1);
                ASSERT_EQ(tiled.size(), static_cast<std::size_t>(tile.width * tile.height));
                for (std::int64_t y = 0, i = 0; y < tile.height; ++y) {
                    for (std::int64_t x = 0; x < tile.width; ++x, ++i) {
                        const auto one =
                            convolution::exactAt(*input, filter, border, 0.25, tile.x + x, tile.y + y, tile.z, 1);
                        const auto& other = tiled[static_cast<std::size_t>(i)];
                        EXPECT_NEAR(other.value, one.value, 3e-7 * one.magnitude) << name << radius << x << y;
                        EXPECT_NEAR(other.magnitude, one.magnitude, 3e-7 * one.magnitude);
                    }
                }
            }
        }
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
    EXPECT_NE(refusal({{"radius", std::int64_t{32}}}).find("with 2 dimensions a radius of 0 to 31"), std::string::npos);
    EXPECT_EQ(refusal(volumeFilter("box", 63, "zero")), "accepted");
}

INSTANTIATE_TEST_SUITE_P(Convolution, VolumeOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
