// SPDX-License-Identifier: Apache-2.0
// What a table says of samples, against figures that are worked out here in another way.
#include "gpu/run/statistics.hpp"

#include "gpu/run/limit.hpp"
#include "gpu/run/rows.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace warplens::gpu {
namespace {

/// Distances between ranks differ, so that no rank can stand for another.
double sampleOf(int rank) { return 10 + rank * rank * 0.25; }

std::vector<double> shuffled(int n) {
    std::vector<double> samples;
    for (int rank = 1; rank <= n; ++rank) samples.push_back(sampleOf(rank));
    std::shuffle(samples.begin(), samples.end(), std::mt19937(static_cast<unsigned>(n)));
    return samples;
}

/// The sample that `quarters` quarters of the way from the first to the last lead to, by whole numbers.
double atQuarter(int n, int quarters) {
    const int way = (n - 1) * quarters, rank = 1 + way / 4, rest = way % 4;
    return rest == 0 ? sampleOf(rank) : ((4 - rest) * sampleOf(rank) + rest * sampleOf(rank + 1)) / 4;
}

/// Ranks from `low` to its mirror image hold the median with this probability.
double coverage(int n, int low) {
    double term = 1, sum = 0;  // of n over k
    for (int k = 0; k <= n - low; ++k) {
        if (k >= low) sum += term;
        term = term * (n - k) / (k + 1);
    }
    return std::ldexp(sum, -n);
}

/// For n samples the interval of the median begins at this rank, and ends as far from the other end.
constexpr int kLowRank[] = {1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  2,  2,  2,  3,  3,  4,  4,
                            4,  5,  5,  6,  6,  6,  7,  7,  8,  8,  8,  9,  9,  10, 10, 10, 11,
                            11, 12, 12, 12, 13, 13, 14, 14, 15, 15, 15, 16, 16, 17, 17, 18};

TEST(Summary, quartilesMinimumAndIntervalForOneToFiftySamples) {
    static_assert(std::size(kLowRank) == 50);
    for (int n = 1; n <= 50; ++n) {
        const Timing t = summarise(shuffled(n), Clock::device);
        const int low = kLowRank[n - 1];
        EXPECT_EQ(t.samples, n);
        EXPECT_EQ(t.minMs, sampleOf(1)) << n;
        EXPECT_NEAR(t.q1Ms, atQuarter(n, 1), 1e-11) << n;
        EXPECT_NEAR(t.medianMs, atQuarter(n, 2), 1e-11) << n;
        EXPECT_NEAR(t.q3Ms, atQuarter(n, 3), 1e-11) << n;
        EXPECT_EQ(t.lowMs, sampleOf(low)) << n;
        EXPECT_EQ(t.highMs, sampleOf(n + 1 - low)) << n;
        // The table above is right: 95 % are held, and one rank less at either end would be the least, or too little.
        if (n >= 6) {
            EXPECT_GE(coverage(n, low), 0.95) << n;
            EXPECT_LT(coverage(n, low + 2), 0.95) << n;
        } else {
            EXPECT_EQ(low, 1) << n;
        }
    }
}

TEST(Summary, knownFigures) {
    const Timing five = summarise({5, 1, 4, 2, 3}, Clock::device);
    EXPECT_EQ(five.q1Ms, 2);
    EXPECT_EQ(five.medianMs, 3);
    EXPECT_EQ(five.q3Ms, 4);
    const Timing eight = summarise({8, 7, 6, 5, 4, 3, 2, 1}, Clock::simulated);
    EXPECT_EQ(eight.q1Ms, 2.75);
    EXPECT_EQ(eight.medianMs, 4.5);
    EXPECT_EQ(eight.q3Ms, 6.25);
    EXPECT_EQ(eight.clock, Clock::simulated);
    const Timing same = summarise({2, 2, 2}, Clock::device);
    EXPECT_EQ(same.lowMs, 2);
    EXPECT_EQ(same.highMs, 2);
}

Timing intervalOf(double low, double median, double high, int samples = 10) {
    Timing t;
    t.clock = Clock::device;
    t.lowMs = low;
    t.medianMs = median;
    t.highMs = high;
    t.samples = samples;
    return t;
}

TEST(Summary, intervalsThatMeetAreTheSame) {
    const Timing base = intervalOf(2, 3, 4);
    EXPECT_EQ(judge(intervalOf(1, 1.5, 1.999), base), Verdict::faster);
    EXPECT_EQ(judge(intervalOf(1, 1.5, 2), base), Verdict::same);
    EXPECT_EQ(judge(intervalOf(4, 5, 6), base), Verdict::same);
    EXPECT_EQ(judge(intervalOf(4.001, 5, 6), base), Verdict::slower);
    EXPECT_EQ(judge(intervalOf(1, 1.5, 1.9, 3), base), Verdict::faster);
    EXPECT_EQ(judge(intervalOf(1, 1.5, 1.9, 2), base), Verdict::undecided);
    EXPECT_EQ(judge(base, intervalOf(1, 1.5, 1.9, 2)), Verdict::undecided);
    EXPECT_EQ(judge(intervalOf(1e-4, 2e-4, 3e-4), intervalOf(4e-4, 4.5e-4, 4.9e-4)), Verdict::undecided);
    EXPECT_EQ(judge(intervalOf(1e-4, 2e-4, 3e-4), intervalOf(4e-4, 6e-4, 7e-4)), Verdict::faster);
}

/// A run of 4 ms that moves 8 and 2 MB: 2.5 GB/s.
RunRecord rated(Traffic traffic, Clock clock, const std::optional<Limits>& limits, int sets = 1,
                std::int64_t l2Bytes = 0) {
    RunRecord record;
    record.time = intervalOf(3.9, 4, 4.1);
    record.time->clock = clock;
    DeviceInfo device;
    device.kind = DeviceKind::cuda;
    device.l2Bytes = l2Bytes;
    rate(record, {.traffic = traffic, .bytesRead = 8'000'000, .bytesWritten = 2'000'000}, 1, device, limits, sets);
    return record;
}

/// A run of 4 ms with 25 taps for each of a million values: 0.0125 TFLOP/s; a separable one does ten of them.
RunRecord computed(const std::string& variant, const Limits& limits) {
    RunRecord record;
    record.family = "convolution";
    record.variant = variant;
    record.time = intervalOf(3.9, 4, 4.1);
    record.time->clock = Clock::device;
    const Work work{.bytesRead = 5'000'000, .bytesWritten = 5'000'000, .operations = 50e6};
    rate(record, work, 1'000'000, {}, limits, 1);
    return record;
}

TEST(Rating, bandwidthAndShareOfTheLimitOfItsTraffic) {
    const Limits limits{.copyGbs = 10, .readGbs = 20, .writeGbs = 5};
    for (const auto& [traffic, percent] :
         {std::pair{Traffic::copy, 25.0}, std::pair{Traffic::read, 12.5}, std::pair{Traffic::write, 50.0}}) {
        const RunRecord record = rated(traffic, Clock::device, limits);
        EXPECT_DOUBLE_EQ(record.bandwidthGbs.value(), 2.5);
        EXPECT_DOUBLE_EQ(record.percentOfLimit.value(), percent);
    }
    EXPECT_FALSE(rated(Traffic::copy, Clock::simulated, limits).percentOfLimit) << "a GPU's limit is none of the CPU's";
    EXPECT_FALSE(rated(Traffic::copy, Clock::device, {}).percentOfLimit);
    EXPECT_FALSE(rated(Traffic::copy, Clock::device, Limits{}).percentOfLimit) << "not measured";
}

TEST(Rating, theShareOfTheLimitIsTheLargerOfMemorysAndArithmetics) {
    Limits limits{.copyGbs = 10, .fmaTflops = 0.025};  // memory 25 %
    const auto says = [&](const char* variant, double percent, std::string_view limit) {
        const RunRecord record = computed(variant, limits);
        EXPECT_NEAR(record.percentOfLimit.value(), percent, 1e-9) << variant;
        EXPECT_EQ(limitOfShare(record, limits, Traffic::copy), limit) << variant;
    };
    says("naive", 50, kFmaLimit);
    says("separable", 25, "copy");
    says("tensor_core", 25, "copy");  // other units do its sums
    says("opencv", 25, "copy");       // how a library sums is not known
    limits.fmaTflops = 0.0125;
    says("separable", 40, kFmaLimit);
    limits.fmaTflops = 0.06;
    says("naive", 25, "copy");
    limits.fmaTflops = 0;  // not measured
    says("naive", 25, "copy");
    RunRecord chosen = computed("naive", {.copyGbs = 10, .fmaTflops = 0.025});
    EXPECT_EQ(limitOfShare(chosen, limits, Traffic::copy), kFmaLimit) << "read from the numbers that a report stores";
    chosen.percentOfLimit = 25;
    EXPECT_EQ(limitOfShare(chosen, limits, Traffic::copy), "copy") << "of an earlier version";
    chosen.percentOfLimit.reset();
    EXPECT_EQ(limitOfShare(chosen, limits, Traffic::copy), "");
}

TEST(Rating, warmWhereAllSetsFitTheCache) {
    EXPECT_FALSE(rated(Traffic::copy, Clock::device, {}, 1, 9'999'999).time->warmL2);
    EXPECT_TRUE(rated(Traffic::copy, Clock::device, {}, 1, 10'000'000).time->warmL2);
    EXPECT_FALSE(rated(Traffic::copy, Clock::device, {}, 3, 29'999'999).time->warmL2);
    EXPECT_TRUE(rated(Traffic::copy, Clock::device, {}, 3, 30'000'000).time->warmL2);
    EXPECT_TRUE(rated(Traffic::copy, Clock::simulated, {}, 1, 0).time->warmL2) << "a CPU never starts cold";
}

}  // namespace
}  // namespace warplens::gpu
