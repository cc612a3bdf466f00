// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each type, number of channels, border, size and radius, beside OpenCV where it has the
// filter; what numpy makes of a small picture; and values that were worked out by hand.
#include "gpu/core/plain_kernels.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "tests/support/family_on_device.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::HasSubstr;

const std::set<std::string> kRows{"naive", "tiled", "row_sums", "coarsened", "columns"};

ParameterValues means(std::int64_t patch, std::int64_t search, const char* border, double strength = 30,
                      double noise = 0) {
    return {{"patch-radius", patch},
            {"search-radius", search},
            {"border", std::string(border)},
            {"strength", strength},
            {"noise", noise}};
}

class NonLocalMeans : public FamilyOnDevice {
protected:
    NonLocalMeans() : FamilyOnDevice("nlmeans") {}

    void expectRows(const io::Shape& shape, PixelType type, const ParameterValues& values,
                    const TunableValues& tunables = {}) {
        std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " + io::nameOf(type);
        for (const auto& [id, value] : values) what += " " + id + "=" + format(value);
        std::set<std::string> expected = kRows;
        if (type == PixelType::u8 && std::get<std::string>(values.at("border")) == "reflect" &&
            std::get<double>(values.at("noise")) == 0)
            expected.insert("opencv");
        EXPECT_EQ(expectAllOk(noise(shape, type, 3), values, what, {}, tunables), expected) << what;
    }
    /// What every row makes of a picture of floats.
    void expectMade(const io::Shape& shape, const std::vector<float>& from, const ParameterValues& values,
                    const std::vector<double>& expected, double off = 1e-6) {
        auto grid = std::make_shared<io::Grid>(shape, PixelType::f32);
        std::ranges::copy(from, grid->as<float>());
        std::set<std::string> rows;
        for (const auto& run : m_runner.run(requestOf(grid, values)).runs) {
            if (run.variant == "opencv") continue;  // of bytes alone
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            rows.insert(run.variant);
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const double made = run.result.picture->as<float>()[i];
                if (std::isnan(expected[i]))
                    EXPECT_TRUE(std::isnan(made)) << run.variant << ' ' << i;
                else if (std::isinf(expected[i]))
                    EXPECT_EQ(made, expected[i]) << run.variant << ' ' << i;
                else
                    EXPECT_NEAR(made, expected[i], off) << run.variant << ' ' << i;
            }
        }
        EXPECT_EQ(rows, kRows);
    }
};

TEST_P(NonLocalMeans, EveryTypeChannelBorderAndSize) {
    for (const char* border : {"zero", "replicate", "reflect", "wrap"}) {
        expectRows({37, 19}, PixelType::f32, means(1, 2, border));
        expectRows({23, 18}, PixelType::u8, means(2, 1, border, 50, 5));
        expectRows({19, 13}, PixelType::u16, means(1, 1, border));
        expectRows({11, 7, 1, 3}, PixelType::u8, means(1, 2, border));
        expectRows({9, 5, 1, 3}, PixelType::f32, means(2, 1, border, 20, 10));
        expectRows({7, 6, 1, 4}, PixelType::u8, means(1, 1, border));
        expectRows({7, 5, 3}, PixelType::u8, means(1, 1, border));
        expectRows({1, 1}, PixelType::u8, means(1, 3, border));
        expectRows({1, 13}, PixelType::u16, means(2, 4, border));
        expectRows({15, 1, 1, 3}, PixelType::u16, means(3, 1, border));
    }
    ParameterValues all = means(1, 1, "reflect");
    all["alpha"] = std::string("filter");
    expectRows({9, 7, 1, 4}, PixelType::u8, all);
    expectRows({9, 7}, PixelType::f32, means(1, 1, "reflect", 0.01, 1000000));
    expectRows({9, 7}, PixelType::u16, means(1, 1, "reflect", 1000000));
}

TEST_P(NonLocalMeans, EveryRadius) {
    for (const int patch : {1, 2, 3, 4, 5}) expectRows({35, 6}, PixelType::u8, means(patch, 1, "reflect"));
    expectRows({5, 4}, PixelType::f32, means(5, 15, "wrap"));
}

TEST_P(NonLocalMeans, EveryTunable) {
    for (const Variant& variant : familyOf("nlmeans").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : {1, 5, 16})
                EXPECT_FALSE(expectAllOk(noise({33, 9}, PixelType::u8), means(1, 1, "reflect"), tunable.id,
                                         {variant.id}, {{tunable.id, value}})
                                 .empty());
}

TEST_P(NonLocalMeans, ValuesWorkedOutByHand) {
    // Columns 0, 1, 0, 1 repeated: a patch and the one beside it differ by 1 everywhere, and the one after that by 0.
    // So of nine columns five are like the pixel's own, and four have the weight exp(-1 / strength^2).
    const double unlike = std::exp(-1.0);
    expectMade({4, 2}, {0, 1, 0, 1, 0, 1, 0, 1}, means(2, 4, "wrap", 100),
               {4 * unlike / (5 + 4 * unlike), 5 / (5 + 4 * unlike)});
    // Noise of which the variance is half that difference: nothing is unlike any more.
    expectMade({4, 2}, {0, 1, 0, 1, 0, 1, 0, 1}, means(2, 4, "wrap", 100, 100 / std::sqrt(2.0) + 0.01),
               {4.0 / 9, 5.0 / 9});
    // What is not finite is in the patches of pixels up to the patch radius away, which stay; nobody else sees it.
    const float none = std::numeric_limits<float>::quiet_NaN(), endless = std::numeric_limits<float>::infinity();
    expectMade({9, 1}, {0.25F, 0.25F, 0.5F, none, 0.75F, endless, 0.5F, 0.25F, 0.25F}, means(1, 2, "replicate", 1),
               {0.25, 0.25, 0.5, std::numeric_limits<double>::quiet_NaN(), 0.75,
                std::numeric_limits<double>::infinity(), 0.5, 0.25, 0.25});
}

// The definition in double in numpy, whose code differs by three numbers from one that makes what scikit-image's fast
// mode makes.
TEST_P(NonLocalMeans, AsWorkedOutElsewhere) {
    expectMade({4, 3}, {0.1F, 0.9F, 0.4F, 0.3F, 0.8F, 0.2F, 0.6F, 0.7F, 0.5F, 0.3F, 0.9F, 0.1F},
               means(1, 2, "reflect", 50, 10),
               {0.4630778, 0.5330096, 0.5074977, 0.4878751, 0.5530954, 0.4530815, 0.5395951, 0.5099115, 0.5113516,
                0.4930464, 0.5384378, 0.4517842});
}

TEST(NonLocalMeansRows, TakeTilesAsFarAsSharedMemoryGoes) {
    const Family& family = familyOf("nlmeans");
    ParameterValues wide = means(5, 15, "reflect");
    wide["alpha"] = std::string("filter");
    const auto problem = family.pose(noise({9, 9, 1, 4}, PixelType::u8), wide);
    DeviceInfo small = simtDeviceInfo();
    small.sharedBytesPerBlock = 48 * 1024;
    for (const Variant& variant : family.variants()) {
        const TunableValues tunables = resolve(variant, {});
        EXPECT_EQ(problem->refusal(variant, tunables, simtDeviceInfo()), "") << variant.id;
        const std::string why = problem->refusal(variant, tunables, small);
        if (variant.id == "naive" || variant.id == "opencv")
            EXPECT_EQ(why, "");
        else
            EXPECT_THAT(why, HasSubstr("shared memory")) << variant.id;
    }
}

std::string whyNotOpencv(const io::Shape& shape, PixelType type, const ParameterValues& values) {
    const Family& family = familyOf("nlmeans");
    const Variant& variant = variantOf(family, "opencv");
    return family.pose(noise(shape, type), values)->refusal(variant, resolve(variant, {}), simtDeviceInfo());
}

TEST(NonLocalMeansOpencv, SaysWhatItDoesNotTake) {
    const auto whyNot = [](PixelType type, const ParameterValues& values, int channels = 1) {
        return whyNotOpencv({9, 9, 1, channels}, type, values);
    };
    EXPECT_EQ(whyNot(PixelType::u8, {}), "");
    EXPECT_EQ(whyNot(PixelType::u8, {}, 4), "");
    EXPECT_THAT(whyNot(PixelType::u16, {}), HasSubstr("takes bytes"));
    EXPECT_THAT(whyNot(PixelType::f32, {}), HasSubstr("takes bytes"));
    EXPECT_THAT(whyNot(PixelType::u8, means(1, 2, "replicate")), HasSubstr("choose reflect"));
    EXPECT_THAT(whyNot(PixelType::u8, means(1, 2, "reflect", 4, 0.5)), HasSubstr("choose noise 0"));
    // Of 9 pixels 16 ninths of a squared level are dropped, of three channels a third of that.
    EXPECT_THAT(whyNot(PixelType::u8, means(1, 2, "reflect", 0.52)), HasSubstr("choose more"));
    EXPECT_EQ(whyNot(PixelType::u8, means(1, 2, "reflect", 0.53)), "");
    EXPECT_THAT(whyNot(PixelType::u8, means(1, 2, "reflect", 0.3), 3), HasSubstr("choose more"));
    EXPECT_EQ(whyNot(PixelType::u8, means(1, 2, "reflect", 0.31), 3), "");
}

/// Noise on what pictures have: steps, a slope, nothing.
std::shared_ptr<io::Grid> randomPicture(std::minstd_rand& random) {
    const auto below = [&](std::minstd_rand::result_type n) { return static_cast<int>(random() % n); };
    const io::Shape shape{below(24) + 1, below(20) + 1, 1, std::array{1, 3, 4}[random() % 3]};
    auto grid = std::make_shared<io::Grid>(shape, PixelType::u8);
    const int kind = below(3), amplitude = std::array{7, 21, 255}[random() % 3];
    for (std::int64_t y = 0; y < shape.height; ++y)
        for (std::int64_t x = 0; x < shape.width; ++x)
            for (int c = 0; c < shape.channels; ++c) {
                const auto across = static_cast<int>(x), down = static_cast<int>(y);
                const int base = kind == 0 ? 60 * ((across / 7 + down / 6 + c) % 2) : kind == 1 ? 8 * across + down : 0;
                grid->setValue(x, y, 0, c, std::min(255, base + below(static_cast<unsigned>(amplitude))));
            }
    return grid;
}

TEST(NonLocalMeansOpencv, LiesAsNearToTheDefinitionAsItsRoundingSays) {
    std::minstd_rand random(7);
    Runner runner;
    double worst = 0;
    for (int i = 0; i < 150; ++i) {
        const auto patch = static_cast<std::int64_t>(random() % 5 + 1),
                   search = static_cast<std::int64_t>(i % 25 == 0 ? 15 : random() % 6 + 1);
        ParameterValues values =
            means(patch, search, "reflect", std::array{0.6, 1.0, 2.0, 4.0, 10.0, 30.0}[random() % 6]);
        values["alpha"] = std::string(random() % 2 == 0 ? "keep" : "filter");
        Request request = requestFor("nlmeans", randomPicture(random), values, "cpu");
        request.variants = {"opencv"};
        const RunRecord run = runner.run(request).runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        EXPECT_EQ(run.verification->mismatches, 0) << i << ": " << run.verification->firstMismatch;
        EXPECT_EQ(run.verification->checkedShare, 1);
        EXPECT_THAT(run.verification->note, HasSubstr("rounds differences"));
        worst = std::max(worst, run.verification->maxAbsError);
    }
    EXPECT_GT(worst, 0.6);  // of which half a level is the last rounding, that kernels have as well
}

TEST(NonLocalMeansRows, TakeKernelsOfOneChannelAlone) {
    const auto refusalOf = [](const io::Shape& shape) {
        return familyOf("nlmeans").pose(noise(shape, PixelType::u8), {})->plainKernels()->plainTask().refusal;
    };
    EXPECT_EQ(refusalOf({9, 9}), "");
    EXPECT_THAT(refusalOf({9, 9, 1, 3}), HasSubstr("one channel"));
}

INSTANTIATE_TEST_SUITE_P(NonLocalMeans, NonLocalMeans, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
