// SPDX-License-Identifier: Apache-2.0
// Registry x device x input x type x bins: every kernel's counts are those of the definition, and add up.
#include "gpu/core/counts.hpp"
#include "gpu/core/fastest.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/device/device.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"
#include "gpu/run/tuning.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};

class HistogramOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every kernel row is ok, or unsupported with a reason; returns how many are ok.
    int expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                    const std::string& what, const Scheduling& scheduling = {}) {
        auto request = histogramRequest(input, parameters, GetParam());
        request.scheduling = scheduling;
        int ok = 0;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << run.variant << ": " << run.reason;
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->checkedShare, 1.0);
            // A library is held to its own definition.
            if (run.kind == Variant::Kind::kernel) m_last = countsOf(run.result.tables);
            const auto counts = countsOf(run.result.tables);
            for (const auto& channel : counts->channels) {
                // OpenCV is held to its own definition.
                if (run.variant == "opencv") continue;
                EXPECT_EQ(run.verification->mismatches, 0)
                    << what << ": " << run.variant << ": " << run.verification->firstMismatch;
                EXPECT_EQ(totalOf(channel), input->shape().pixels()) << what << ": " << run.variant;
            }
            ok += run.kind == Variant::Kind::kernel ? 1 : 0;
        }
        return ok;
    }

    Runner m_runner;
    std::shared_ptr<const BinnedCounts> m_last;
};

TEST_P(HistogramOnDevice, EveryInputTypeAndNumberOfBins) {
    for (const auto type : kTypes) {
        for (const auto& kind : kInputKinds) {
            const auto input = inputOf(kind, {97, 41}, type);
            for (const int n : {1, 2, 7, 255, 256, 257, 1000, 4096, 65536}) {
                const auto what = kind + " " + io::nameOf(type) + " " + std::to_string(n) + " bins";
                EXPECT_EQ(expectAllOk(input, bins(n), what), n <= 16 ? 10 : 9) << what;
            }
        }
    }
}

// Enough values that a block's 16-bit counters fill up several times.
TEST_P(HistogramOnDevice, CountersThatFillUp) {
    for (const auto type : {PixelType::u16, PixelType::f32}) {
        for (const std::string kind : {"one value", "alternating", "uniform"}) {
            auto request = histogramRequest(inputOf(kind, {1021, 409}, type), bins(65536), GetParam());
            request.variants = {"multi_copy"};
            const auto run = m_runner.run(request).runs.front();
            EXPECT_EQ(run.status, Status::ok) << kind << ": " << run.reason;
        }
    }
}

TEST_P(HistogramOnDevice, SizesAroundWarpsPacksAndBlocks) {
    for (const auto type : kTypes) {
        for (const int width : {0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 63, 127, 255, 257, 509, 1023, 1025, 4099}) {
            // Three channels of an odd number of values begin at every alignment.
            for (const int channels : {1, 3}) {
                const auto input = inputOf("uniform", {width, width == 0 ? 0 : 1, 1, channels}, type);
                const auto what =
                    std::to_string(width) + " values of " + io::nameOf(type) + " c" + std::to_string(channels);
                EXPECT_EQ(expectAllOk(input, bins(256), what), 9) << what;
            }
        }
    }
}

TEST_P(HistogramOnDevice, ChannelsVolumesAndRanges) {
    for (const auto type : kTypes) {
        expectAllOk(inputOf("uniform", {31, 17, 1, 4}, type), bins(256), "RGBA");
        ASSERT_EQ(m_last->channels.size(), 4U);
        EXPECT_EQ(m_last->channels[3].name, "alpha");
        expectAllOk(inputOf("uniform", {13, 11, 7, 1}, type), bins(100), "volume");
        for (const std::string range :
             {"0.25,0.75", "-3,0.5", "10,20", "10.5,200.25", "-100000,100000", "255,256", "1e-3,1e30"}) {
            for (const int n : {1, 7, 256, 4096}) {
                expectAllOk(inputOf("uniform", {61, 29}, type), {{"bins", std::int64_t{n}}, {"range", range}}, range);
            }
            expectAllOk(inputOf("sorted", {61, 29}, type), {{"bin-width", 0.37}, {"range", std::string("0,9.5")}},
                        "width");
        }
    }
}

TEST_P(HistogramOnDevice, ValuesOnAndOneUlpBesideEveryEdge) {
    constexpr float kNoEnd = std::numeric_limits<float>::infinity();
    const std::vector<histogram::Range> ranges{{0, 1},        {-1, 1},         {0.1, 0.7},      {1e6, 1000001},
                                               {-3e38, 3e38}, {1e-40, 3e-40},  {-0.3, 7.77e5},  {16777216, 16777218},
                                               {0, 65536},    {-1e300, 1e300}, {5e-324, 1e-300}};
    for (const auto& range : ranges) {
        for (const int n : {1, 7, 256, 1000, 65536}) {
            std::vector<float> values{0.0F,
                                      -0.0F,
                                      kNoEnd,
                                      -kNoEnd,
                                      std::nanf(""),
                                      -std::nanf(""),
                                      1e-45F,
                                      -1e-45F,
                                      std::numeric_limits<float>::max(),
                                      std::numeric_limits<float>::lowest()};
            const auto edges = histogram::edgesOf(range, n);
            const std::size_t step = n > 1000 ? 61 : 1;
            for (std::size_t k = 0; k < edges.values.size(); k += step) {
                const auto nearest = static_cast<float>(std::clamp(edges.values[k], -3.4e38, 3.4e38));
                for (const float v : {nearest, std::nextafter(nearest, kNoEnd), std::nextafter(nearest, -kNoEnd)})
                    values.push_back(v);
            }
            char text[80];
            std::snprintf(text, sizeof text, "%.17g,%.17g", range.lo, range.hi);
            expectAllOk(rowOf(values), {{"bins", std::int64_t{n}}, {"range", std::string(text)}},
                        std::string(text) + " " + std::to_string(n));
            ASSERT_EQ(m_last->channels[0].nan, 2);
        }
    }
}

TEST_P(HistogramOnDevice, IntegersOnEveryEdge) {
    for (const auto type : {PixelType::u8, PixelType::u16}) {
        const int side = type == PixelType::u8 ? 16 : 256;
        for (const int n : {3, 100, 255, 257, 4000}) {
            expectAllOk(inputOf("sorted", {side, side}, type), bins(n), "edges of " + std::to_string(n));
        }
    }
}

TEST_P(HistogramOnDevice, EveryTunableOfEveryVariant) {
    const auto input = inputOf("normal", {211, 97}, PixelType::u8);
    for (const Variant& variant : familyOf("histogram").variants()) {
        if (isIntentionallyWrong(variant)) continue;
        for (const Tunable& tunable : variant.tunables) {
            std::vector<int> choices = tunable.choices;
            if (choices.empty()) choices = {tunable.minimum, tunable.fallback, tunable.maximum};
            for (const int value : choices) {
                auto request = histogramRequest(input, bins(16), GetParam());
                request.variants = {variant.id};
                request.tunables = {{tunable.id, value}};
                const auto run = m_runner.run(request).runs.front();
                EXPECT_EQ(run.status, Status::ok)
                    << variant.id << " " << tunable.id << " " << value << ": " << run.reason;
            }
        }
    }
}

TEST_P(HistogramOnDevice, OrderOfThreadsAndBlocksDoesNotMatter) {
    for (const std::uint64_t seed : {1, 7, 99}) {
        for (const int workers : {1, 2}) {
            expectAllOk(inputOf("normal", {97, 41}, PixelType::u16), bins(257), "shuffled",
                        {.workers = workers, .shuffleSeed = seed});
        }
    }
    expectAllOk(inputOf("normal", {97, 41}, PixelType::f32), bins(16), "in order again");
}

// A launch clears for the next one; the second of a series must not see the first.
TEST_P(HistogramOnDevice, RepeatedLaunchesCountAnew) {
    auto request = histogramRequest(inputOf("normal", {97, 41, 1, 3}, PixelType::u8), bins(256), GetParam());
    request.timing = {.warmUps = 3, .minimumSamples = 5, .maximumSamples = 5};
    for (int times = 0; times < 2; ++times) {
        for (const auto& run : m_runner.run(request).runs) {
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported)
                << run.variant << ": " << run.reason;
        }
    }
}

TEST_P(HistogramOnDevice, WithoutAtomicsCountsAreLost) {
    auto request = histogramRequest(inputOf("one value", {640, 480}, PixelType::u8), bins(256), GetParam());
    request.variants = {"naive", "racing"};
    const auto runs = m_runner.run(request).runs;
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].status, Status::ok);
    const RunRecord& racing = runs[1];
    EXPECT_EQ(racing.status, Status::wrong);
    EXPECT_TRUE(isIntentionallyWrong(racing)) << "its variant says so";
    EXPECT_NE(racing.reason.find("wrong on purpose"), std::string::npos) << racing.reason;
    EXPECT_FALSE(racing.time);
    EXPECT_FALSE(mayBeFastest(racing));
    // All 32 lanes of a warp read before one writes: no more than one of them is counted.
    EXPECT_LE(totalOf(countsOf(racing.result.tables)->channels[0]), 640 * 480 / 32);
    // Where no two threads meet it is right, and still nothing to choose.
    std::vector<float> apart(32);
    for (int i = 0; i < 32; ++i) apart[static_cast<std::size_t>(i)] = static_cast<float>(i) / 32 + 1.0F / 64;
    auto alone = histogramRequest(rowOf(apart), bins(32), GetParam());
    alone.variants = {"racing"};
    const auto right = m_runner.run(alone).runs.front();
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_FALSE(mayBeFastest(right));
}

TEST_P(HistogramOnDevice, WhatIsWrongOnPurposeRunsWhereItIsNamedOnly) {
    const auto input = inputOf("uniform", {64, 48}, PixelType::u8);
    const Family& family = familyOf("histogram");
    for (const auto& run : m_runner.run(histogramRequest(input, bins(256), GetParam())).runs)
        EXPECT_NE(run.variant, "racing");
    // Not even where a table ranks it first.
    const auto problem = family.pose(input, bins(256));
    const auto info = openDevice(GetParam())->info();
    const TuningTable table{.device = info.name,
                            .driver = "",
                            .version = "",
                            .date = "2026-01-01",
                            .source = "",
                            .entries = {{"histogram", problem->traits(), {{"racing", {}, 1}, {"naive", {}, 2}}}}};
    EXPECT_EQ(Tuning({table}, {}).choose(family, *problem, info, {}).variant, "naive");
}

TEST_P(HistogramOnDevice, MoreValuesThan32BitsHold) {
    if (GetParam() == "cpu") GTEST_SKIP() << "2^31 + 17 values are for the GPU: the SIMT device would take minutes";
    constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 17;
    auto input = std::make_shared<io::Grid>(io::Shape{kCount, 1, 1, 1}, PixelType::u8);
    for (std::int64_t i = 0; i < kCount; ++i) {
        input->as<std::uint8_t>()[i] =
            i % 3 == 0 ? 7 : static_cast<std::uint8_t>(static_cast<std::uint64_t>(i) * 2654435761U >> 24);
    }
    for (const int n : {1, 256}) expectAllOk(input, bins(n), "2^31 + 17");
}

INSTANTIATE_TEST_SUITE_P(Histogram, HistogramOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
