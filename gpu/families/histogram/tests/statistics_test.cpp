// SPDX-License-Identifier: Apache-2.0
// Statistics against sums over sorted values; equalise and stretch against their definitions.
#include "gpu/families/histogram/statistics.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/histogram/reference.hpp"
#include "gpu/families/histogram/tests/histogram_case.hpp"
#include "gpu/families/histogram/tone.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

using histogram::statisticsOf;
using io::PixelType;

TEST(HistogramStatistics, AgreeWithSortedValues) {
    for (const auto type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
        for (const auto& kind : kInputKinds) {
            const auto input = inputOf(kind, {37, 11, 1, 3}, type);
            for (int c = 0; c < 3; ++c) {
                std::vector<double> sorted;
                double sum = 0, squares = 0;
                for (int y = 0; y < 11; ++y) {
                    for (int x = 0; x < 37; ++x) sorted.push_back(input->value(x, y, 0, c));
                }
                std::sort(sorted.begin(), sorted.end());
                for (const double v : sorted) sum += v;
                const double mean = sum / static_cast<double>(sorted.size());
                for (const double v : sorted) squares += (v - mean) * (v - mean);
                const auto s = statisticsOf(*input, c);
                EXPECT_EQ(s.count, 407);
                EXPECT_EQ(s.finite, 407);
                EXPECT_EQ(s.minimum, sorted.front());
                EXPECT_EQ(s.maximum, sorted.back());
                EXPECT_NEAR(s.mean, mean, 1e-9 * (1 + mean));
                EXPECT_NEAR(s.deviation, std::sqrt(squares / 407), 1e-9 * (1 + mean));
                EXPECT_EQ(s.median, sorted[203]);
                for (std::size_t i = 0; i < s.percentiles.size(); ++i) {
                    const double at = s.kPercentiles[i] / 100 * 406;
                    const auto rank = static_cast<std::size_t>(at);
                    const double exact =
                        sorted[rank] +
                        (at - std::floor(at)) * (sorted[std::min<std::size_t>(rank + 1, 406)] - sorted[rank]);
                    EXPECT_NEAR(s.percentiles[i], exact, 1e-9 * (1 + std::fabs(exact))) << kind;
                }
            }
        }
    }
}

TEST(HistogramStatistics, CountWhatIsNotFiniteApart) {
    constexpr float kEndless = std::numeric_limits<float>::infinity();
    const auto s = statisticsOf(*rowOf({1, kEndless, std::nanf(""), 2, -kEndless, kEndless, 4}), 0);
    EXPECT_EQ(s.count, 7);
    EXPECT_EQ(s.finite, 3);
    EXPECT_EQ(s.nan, 1);
    EXPECT_EQ(s.positiveInfinity, 2);
    EXPECT_EQ(s.negativeInfinity, 1);
    EXPECT_EQ(s.minimum, 1);
    EXPECT_EQ(s.maximum, 4);
    EXPECT_EQ(s.median, 2);
    EXPECT_EQ(statisticsOf(*rowOf({}), 0).finite, 0);
    EXPECT_EQ(statisticsOf(*rowOf({std::nanf("")}), 0).nan, 1);
    EXPECT_EQ(statisticsOf(*rowOf({7}), 0).percentiles[3], 7);
    const auto two = statisticsOf(*rowOf({1, 2}), 0);
    EXPECT_EQ(two.median, 1.5);
    EXPECT_EQ(two.percentiles[1], 1.25);
}

TEST(HistogramStatistics, DeviationIsExactFarFromZero) {
    // Steps of 1/16 about a million: a sum of squares would lose them.
    std::vector<float> values;
    for (int i = -500; i <= 500; ++i) values.push_back(1e6F + static_cast<float>(i) / 16);
    const auto s = statisticsOf(*rowOf(values), 0);
    EXPECT_NEAR(s.mean, 1e6, 1e-6);
    EXPECT_NEAR(s.deviation, std::sqrt(500.0 * 501 / 3) / 16, 1e-9);
}

TEST(Equalise, FollowsTheCumulativeSum) {
    // Counts 4, 2, 1, 1: the first bin becomes 0, the others (6 - 4), (7 - 4), (8 - 4) of (8 - 4).
    auto input = std::make_shared<io::Grid>(io::Shape{8, 1}, PixelType::u8);
    const int values[] = {10, 10, 10, 10, 50, 50, 60, 200};
    for (int x = 0; x < 8; ++x) input->setValue(x, 0, 0, 0, values[x]);
    const auto counts = histogram::countExactly(*input, histogram::edgesOf({0, 256}, 256), {"value"}, {});
    const auto result = histogram::equalise(*input, counts);
    const int expected[] = {0, 0, 0, 0, 128, 128, 191, 255};  // 127.5 rounds to even
    for (int x = 0; x < 8; ++x) EXPECT_EQ(result.value(x, 0), expected[x]) << x;
    // One value alone cannot be spread, and nothing divides by zero.
    const auto one = inputOf("one value", {4, 4}, PixelType::u16);
    EXPECT_EQ(histogram::equalise(*one, histogram::countExactly(*one, histogram::edgesOf({0, 65536}, 7), {"value"}, {}))
                  .value(1, 1),
              0);
}

TEST(Equalise, KeepsAlphaNotANumberAndWhatLiesBeside) {
    auto input = inputOf("uniform", {16, 16, 1, 4}, PixelType::f32);
    input->setValue(0, 0, 0, 1, std::numeric_limits<double>::quiet_NaN());
    input->setValue(1, 0, 0, 1, -5);
    input->setValue(2, 0, 0, 1, 5);
    const auto counts =
        histogram::countExactly(*input, histogram::edgesOf({0, 1}, 64), {"red", "green", "blue", "alpha"}, {});
    const auto result = histogram::equalise(*input, counts);
    EXPECT_TRUE(std::isnan(result.value(0, 0, 0, 1)));
    EXPECT_EQ(result.value(1, 0, 0, 1), 0);
    EXPECT_EQ(result.value(2, 0, 0, 1), 1);
    for (int x = 0; x < 16; ++x) EXPECT_EQ(result.value(x, 5, 0, 3), input->value(x, 5, 0, 3));
    EXPECT_EQ(result.shape(), input->shape());
}

// Spread evenly: no sixteenth of the scale holds more than a fair share and one bin's worth.
TEST(Equalise, SpreadsANormalInput) {
    const auto input = inputOf("normal", {200, 100}, PixelType::u16);
    const auto edges = histogram::edgesOf({0, 65536}, 4096);
    const auto result = histogram::equalise(*input, histogram::countExactly(*input, edges, {"value"}, {}));
    const auto after = histogram::countExactly(result, histogram::edgesOf({0, 65536}, 16), {"value"}, {});
    for (const auto n : after.channels[0].bins) EXPECT_NEAR(static_cast<double>(n), 20000 / 16.0, 60);
}

TEST(Stretch, MapsTheRangeToFullScale) {
    auto input = std::make_shared<io::Grid>(io::Shape{5, 1}, PixelType::u8);
    const int values[] = {0, 50, 100, 150, 255}, expected[] = {0, 0, 128, 255, 255};
    for (int x = 0; x < 5; ++x) input->setValue(x, 0, 0, 0, values[x]);
    const auto result = histogram::stretch(*input, 50, 150);
    for (int x = 0; x < 5; ++x) EXPECT_EQ(result.value(x, 0), expected[x]) << x;
    EXPECT_EQ(histogram::stretch(*rowOf({-1, 0, 1, 3}), -1, 3).value(2, 0), 0.5);
    EXPECT_THROW(histogram::stretch(*input, 5, 5), Error);
    EXPECT_THROW(histogram::stretch(*input, 6, 5), Error);
    EXPECT_THROW(histogram::stretch(*input, 0, std::numeric_limits<double>::infinity()), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
