// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/counts.hpp"
#include "gpu/core/registry.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/lenses/histogram/histogram_panels.hpp"
#include "gui/picture/bins.hpp"
#include "gui/session/rates.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace warplens::gui {
namespace {

/// Twelve uneven bins of two channels, counts 1, 2, 3 ... and 100, 101 ...
gpu::BinnedCounts sample() {
    gpu::BinnedCounts h;
    for (int i = 0; i <= 12; ++i) h.edges.push_back(-1.5 + 0.3 * i + (i == 12 ? -0.1 : 0));
    for (const std::int64_t base : {1, 100}) {
        gpu::CountedChannel channel;
        channel.name = base == 1 ? "red" : "green";
        for (int i = 0; i < 12; ++i) channel.bins.push_back(base + i);
        channel.below = 5;
        channel.above = 7;
        channel.nan = 2;
        h.channels.push_back(channel);
    }
    return h;
}

TEST(HistogramFigures, AValueFallsIntoTheBinThatTheDefinitionSays) {
    const gpu::BinnedCounts h = sample();
    for (int k = 0; k < 12; ++k) {
        const double low = h.edges[static_cast<std::size_t>(k)], high = h.edges[static_cast<std::size_t>(k) + 1];
        EXPECT_EQ(binOf(h, low), k);
        EXPECT_EQ(binOf(h, std::nextafter(low, -9)), k - 1);
        EXPECT_EQ(binOf(h, std::nextafter(high, -9)), k);
    }
    EXPECT_EQ(binOf(h, h.edges.back()), -1);
    EXPECT_EQ(binOf(h, std::numeric_limits<double>::quiet_NaN()), -1);
    EXPECT_EQ(binOf(h, std::numeric_limits<double>::infinity()), -1);
}

TEST(HistogramFigures, EveryRangeOfBinsCountsItsBins) {
    const gpu::BinnedCounts h = sample();
    for (int first = 0; first < 12; ++first)
        for (int last = first; last < 12; ++last) {
            std::int64_t expected = 0;
            for (int k = first; k <= last; ++k) expected += 100 + k;
            EXPECT_EQ(countIn(h, 1, rangeOfBins(h, last, first)), expected) << first << ' ' << last;
        }
    EXPECT_EQ(elementsOf(h.channels[0]), 78 + 14);
}

TEST(HistogramFigures, SharesBeginWithWhatIsBelowAndEndBeforeWhatIsAbove) {
    const gpu::BinnedCounts h = sample();
    const auto shares = cumulativeShares(h, {true, false});
    ASSERT_EQ(shares.size(), 13U);
    EXPECT_DOUBLE_EQ(shares.front(), 5.0 / 90);
    EXPECT_DOUBLE_EQ(shares[1], 6.0 / 90);
    EXPECT_DOUBLE_EQ(shares.back(), 83.0 / 90);
    EXPECT_TRUE(cumulativeShares(h, {false, false}).empty());
    EXPECT_EQ(highestCount(h, {true, false}), 12);
    EXPECT_EQ(highestCount(h, {true, true}), 111);
}

TEST(HistogramFigures, TheTableHoldsEveryCount) {
    const QStringList lines = countsTable(sample()).split('\n');
    EXPECT_EQ(lines[0], "from\tto\tred\tgreen");
    EXPECT_EQ(lines[1], "-1.5\t-1.2\t1\t100");
    EXPECT_EQ(lines[13], "below\t\t5\t5");
    EXPECT_EQ(lines[15], "not a number\t\t2\t2");
}

TEST(HistogramFigures, ValuesAreWrittenShortly) {
    EXPECT_EQ(format::value(256), "256");
    EXPECT_EQ(format::value(-65536), "−65,536");
    EXPECT_EQ(format::value(0.4980392157), "0.498039");
    EXPECT_EQ(format::value(1.5e-7), "1.5e−07");
}

TEST(HistogramFigures, StatisticsSayWhenNothingIsFinite) {
    ChannelStatistics none{"value", {}};
    none.figures.count = none.figures.nan = 3;
    const auto rows = statisticsRows({none}, nullptr);
    EXPECT_EQ(rows[0].values[0], "3");
    EXPECT_EQ(rows[1].values[0], "–;  –") << "no least value without a finite one";
    const auto several = statisticsRows({none, none}, nullptr);
    EXPECT_GT(several.size(), rows.size()) << "pairs stand below each other where there are columns";
}

TEST(RecordedRates, OfEveryRecordedTaskAreFoundAndOfNoOther) {
    EXPECT_FALSE(recordedRuns().empty());
    for (const gpu::Report& report : recordedRuns().all()) {
        const gpu::Family& family = gpu::familyOf(report.family);
        const auto rates = recordedRates(recordedRuns(), family, gpu::RecordedTask(report), 4);
        ASSERT_TRUE(rates.has_value()) << report.family;
        EXPECT_FALSE(rates->rows.empty()) << report.family;
        gpu::Report other = report;
        other.input.type = "i64";
        EXPECT_FALSE(recordedRates(recordedRuns(), family, gpu::RecordedTask(other), 4)) << "another type";
        other = report;
        other.input.shape.channels = 2;
        EXPECT_FALSE(recordedRates(recordedRuns(), family, gpu::RecordedTask(other), 4)) << "other channels";
    }
}

}  // namespace
}  // namespace warplens::gui
