// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/earlier.hpp"

#include "tests/gpu/history/kept.hpp"

#include <gtest/gtest.h>

namespace warplens::test {
namespace {

using gpu::history::sentenceOf;
using gpu::history::slowerThanBefore;
using gpu::history::Store;

/// Of the GPU, every time by so much longer than in the sample.
gpu::Report timed(double factor, const std::string& date) {
    gpu::Comparison comparison = cudaComparison();
    comparison.environment.date = date;
    for (gpu::RunRecord& run : comparison.runs)
        if (run.time) run.time = timing(run.time->clock, run.time->medianMs * factor);
    return gpu::makeReport(comparison);
}

TEST(HistoryEarlier, TellsTheDateAndBothTimes) {
    const gpu::Report then = timed(1, "2026-11-16T09:00:00Z"), now = timed(1.5, "2026-11-23T09:00:00Z");
    EXPECT_EQ(
        sentenceOf(slowerThanBefore(now, {then})),
        "Slower than on 2026-11-16: naive 3.00 ms now, 2.00 ms then (recorded; same picture, parameters, device and "
        "driver); so is 1 more run.");
    EXPECT_EQ(sentenceOf(slowerThanBefore(then, {now})), "") << "faster is no news";
    EXPECT_EQ(sentenceOf(slowerThanBefore(now, {})), "");
}

TEST(HistoryEarlier, HoldsEachRunAgainstItsBest) {
    const gpu::Report now = timed(3, "2026-11-23T09:00:00Z");
    const auto slower =
        slowerThanBefore(now, {timed(2, "2026-11-20"), timed(1, "2026-11-10"), timed(1.5, "2026-11-01")});
    ASSERT_EQ(slower.size(), 2U);
    EXPECT_EQ(slower.front().date, "2026-11-10");
    EXPECT_EQ(slower.front().nowMs / slower.front().thenMs, 3);
}

TEST(HistoryEarlier, HasNothingToSayOfTimesOfACpu) {
    gpu::Report then = timed(1, "2026-11-16"), now = timed(2, "2026-11-23");
    for (gpu::Report* report : {&then, &now})
        for (gpu::ReportRun& run : report->runs)
            if (run.record.time && run.record.time->clock == gpu::Clock::device)
                run.record.time->clock = gpu::Clock::simulated;
    EXPECT_EQ(sentenceOf(slowerThanBefore(now, {then})), "") << "neither of kernels nor of libraries";
}

TEST(HistoryEarlier, IsSilentWithinTheSpreads) {
    const gpu::Report then = timed(1, "2026-11-16");
    EXPECT_TRUE(slowerThanBefore(timed(1.015, "2026-11-23"), {then}).empty()) << "the intervals overlap";
    EXPECT_TRUE(slowerThanBefore(timed(1.045, "2026-11-23"), {then}).empty()) << "clear of them, below 5 %";
    EXPECT_EQ(slowerThanBefore(timed(1.06, "2026-11-23"), {then}).size(), 2U);
    gpu::Report rare = timed(2, "2026-11-23");
    for (gpu::ReportRun& run : rare.runs)
        if (run.record.time) run.record.time->samples = 2;
    EXPECT_TRUE(slowerThanBefore(rare, {then}).empty()) << "timed too rarely to say";
    gpu::Report wide = timed(1.2, "2026-11-23");
    for (gpu::ReportRun& run : wide.runs)
        if (run.record.time) run.record.time->q3Ms = run.record.time->q1Ms * 1.4;
    EXPECT_TRUE(slowerThanBefore(wide, {then}).empty()) << "the quartiles lie further apart than the medians";
}

TEST(HistoryEarlier, HoldsOnlyTheSameTunablesAndClockAgainstEachOther) {
    const gpu::Report then = timed(1, "2026-11-16");
    for (const int changed : {0, 1, 2, 3}) {
        gpu::Report now = timed(2, "2026-11-23");
        for (gpu::ReportRun& run : now.runs) {
            if (changed == 0) run.record.tunables["block_width"] = 64;
            if (changed == 1) run.record.chosen["block_width"] = 32;
            if (changed == 3)
                run.record.slabs = gpu::SlabMap{.lines = 2, .each = 1, .devices = {"cuda:0", "cuda:1"}, .held = {}};
            if (changed == 2 && run.record.time)
                run.record.time->clock =
                    run.record.time->clock == gpu::Clock::device ? gpu::Clock::simulated : gpu::Clock::device;
        }
        EXPECT_TRUE(slowerThanBefore(now, {then}).empty()) << changed;
    }
}

TEST(HistoryEarlier, TheSameTaskIsLookedUpWhateverTheBuild) {
    const TemporaryFolder folder;
    Store store(folder / "history.sqlite");
    const gpu::Report report = timed(1, "2026-11-16");
    store.add(report);
    const auto found = [&](auto change) {
        gpu::Report other = timed(2, "2026-11-23");
        change(other);
        return store.alike(other).size();
    };
    EXPECT_EQ(found([](gpu::Report&) {}), 1U);
    EXPECT_EQ(found([](gpu::Report& other) { other.version = "9.9"; }), 1U);
    EXPECT_EQ(found([](gpu::Report& other) { other.environment.compiler = "another"; }), 1U);
    EXPECT_EQ(found([](gpu::Report& other) { other.input.name = "renamed.png"; }), 1U);
    EXPECT_EQ(found([](gpu::Report& other) { other.input.hash = "fnv1a64w:0"; }), 0U);
    EXPECT_EQ(found([](gpu::Report& other) { other.parameters["radius"] = std::int64_t{3}; }), 0U);
    EXPECT_EQ(found([](gpu::Report& other) { other.family = "stencil"; }), 0U);
    EXPECT_EQ(found([](gpu::Report& other) { other.device.uuid = "GPU-2"; }), 0U);
    EXPECT_EQ(found([](gpu::Report& other) { other.environment.cudaDriver = "13.1"; }), 0U);
}

}  // namespace
}  // namespace warplens::test
