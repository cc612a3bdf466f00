// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/diff.hpp"

#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"

#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;

namespace {

Report reportWith(double naiveMs, double constantMs) {
    Comparison comparison = test::cudaComparison();
    comparison.runs[0].time = test::timing(Clock::device, naiveMs);
    comparison.runs[1].time = test::timing(Clock::device, constantMs);
    return makeReport(comparison);
}

}  // namespace

TEST(Diff, fasterSlowerAndSameFromTheStoredIntervals) {
    const Diff found = diff(reportWith(2, 1), reportWith(1, 1.005));
    EXPECT_EQ(found.rows[0].verdict, Verdict::faster);
    EXPECT_DOUBLE_EQ(*found.rows[0].ratio, 2);
    EXPECT_EQ(found.rows[1].verdict, Verdict::same);
    EXPECT_FALSE(found.rows[1].ratio.has_value());
    EXPECT_EQ(diff(reportWith(1, 1), reportWith(2, 1)).rows[0].verdict, Verdict::slower);
}

TEST(Diff, aRowWithoutATimeIsUndecidedAndSaysWhy) {
    const Diff found = diff(reportWith(2, 1), reportWith(2, 1));
    EXPECT_EQ(found.rows[2].verdict, Verdict::undecided);
    EXPECT_EQ(found.rows[2].reason, "wrong in A");
    EXPECT_EQ(found.rows[3].reason, "unsupported in A");
}

TEST(Diff, neverAcrossClocks) {
    Comparison cpu = test::cpuComparison();
    const Diff found = diff(reportWith(2, 1), makeReport(cpu));
    EXPECT_EQ(found.rows[0].verdict, Verdict::undecided);
    EXPECT_EQ(found.rows[0].reason, "different clocks: cuda-event, cpu-simt");
    EXPECT_FALSE(found.rows[0].ratio.has_value());
}

TEST(Diff, differentWorkIsNotCompared) {
    const Report a = reportWith(2, 1);
    Report b = reportWith(1, 1);
    b.parameters["radius"] = std::int64_t{3};
    EXPECT_EQ(diff(a, b).rows[0].verdict, Verdict::undecided);
    EXPECT_EQ(diff(a, b).notes.front(), "Not comparable: the parameter radius differs (2, 3).");
    b = reportWith(1, 1);
    b.input.shape.width = 5;
    EXPECT_EQ(diff(a, b).rows[0].verdict, Verdict::undecided);
    b = reportWith(1, 1);
    b.input.hash = "fnv1a64w:0";
    EXPECT_EQ(diff(a, b).rows[0].verdict, Verdict::faster);
    EXPECT_EQ(diff(a, b).notes.front(), "The inputs' values differ.");
}

TEST(Diff, fewSamplesDecideNothing) {
    Report a = reportWith(2, 1), b = reportWith(1, 1);
    b.runs[0].record.time->samples = 2;
    EXPECT_EQ(diff(a, b).rows[0].verdict, Verdict::undecided);
    EXPECT_NE(diff(a, b).rows[0].reason, "");
}

TEST(Diff, keepsRowsThatOnlyOneReportHas) {
    Report a = reportWith(2, 1), b = reportWith(2, 1);
    a.runs.erase(a.runs.begin());
    b.runs.pop_back();
    const Diff found = diff(a, b);
    EXPECT_EQ(found.rows.back().variant, "naive");
    EXPECT_EQ(found.rows.back().reason, "only in B");
    EXPECT_EQ(found.rows[3].reason, "only in A");
}

TEST(Diff, jsonObeysItsSchemaAndTextNamesTheVerdict) {
    const Diff found = diff(reportWith(2, 1), reportWith(1, 1));
    EXPECT_EQ(test::violation("diff", toJson(found)), "");
    EXPECT_NE(toText(found).find("faster 2.00\u00d7"), std::string::npos);
}

}  // namespace warplens
