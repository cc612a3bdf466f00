// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each type, number of channels, border, size and radius; what numpy makes of a small
// picture; and values that were worked out by hand.
#include "gpu/core/plain_kernels.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "tests/support/family_on_device.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

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
        EXPECT_EQ(expectAllOk(noise(shape, type, 3), values, what, {}, tunables), kRows) << what;
    }
    /// What every row makes of a picture of floats.
    void expectMade(const io::Shape& shape, const std::vector<float>& from, const ParameterValues& values,
                    const std::vector<double>& expected, double off = 1e-6) {
        auto grid = std::make_shared<io::Grid>(shape, PixelType::f32);
        std::ranges::copy(from, grid->as<float>());
        std::set<std::string> rows;
        for (const auto& run : m_runner.run(requestOf(grid, values)).runs) {
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
        if (variant.id == "naive")
            EXPECT_EQ(why, "");
        else
            EXPECT_THAT(why, HasSubstr("shared memory")) << variant.id;
    }
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
