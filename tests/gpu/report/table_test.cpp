// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/table.hpp"

#include "gpu/core/evolution.hpp"
#include "tests/gpu/report/sample_comparison.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace warplens {

using namespace gpu;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

std::vector<std::string> titlesOf(const TextTable& table) {
    std::vector<std::string> titles;
    for (const auto& column : table.columns) titles.push_back(column.title);
    return titles;
}

std::string cell(const TextTable& table, std::size_t row, const std::string& title) {
    const auto titles = titlesOf(table);
    const auto at = std::find(titles.begin(), titles.end(), title);
    return at == titles.end() ? "no column" : table.rows[row][static_cast<std::size_t>(at - titles.begin())];
}

}  // namespace

TEST(Table, verdictsAgainstTheFirstRightKernelOfTheCudaClock) {
    const TextTable table = makeTable(makeReport(test::cudaComparison()));
    EXPECT_EQ(cell(table, 0, "Against naive"), "baseline");
    EXPECT_EQ(cell(table, 1, "Against naive"), "faster 2.00\u00d7");
    EXPECT_EQ(cell(table, 4, "Against naive"), "other clock");
    EXPECT_THAT(table.notes, Contains("Fastest: constant."));
}

TEST(Table, aWrongRowHasNoTimeNoRateAndNoVerdict) {
    const TextTable table = makeTable(makeReport(test::cudaComparison()));
    for (const char* title : {"Median ms", "Against naive", "GB/s", "Of limit"})
        EXPECT_EQ(cell(table, 2, title), "\u2013") << title;
    EXPECT_EQ(cell(table, 2, "Check"), "wrong: 3 values are wrong");
}

// As jump flooding and products on tensor cores: what a note says of a result keeps its row from being the fastest.
TEST(Table, aRowThatIsNotExactIsNotTheFastest) {
    Comparison comparison = test::cudaComparison();
    comparison.runs[1].verification->note = "3 of 9 values are not the nearest distance";
    TextTable table = makeTable(makeReport(comparison));
    const std::string faster = "Faster, but not exact or of another definition (see the notes): constant.";
    EXPECT_THAT(table.notes, Contains(faster));
    EXPECT_THAT(table.notes, Not(Contains(HasSubstr("Fastest"))));
    RunRecord exact = comparison.runs[1];
    exact.variant = "separable";
    exact.verification->note = "";
    exact.time = test::timing(Clock::device, 1.5);
    comparison.runs.push_back(exact);
    table = makeTable(makeReport(comparison));
    EXPECT_THAT(table.notes, Contains("Fastest: separable. " + faster));
}

TEST(Table, overlappingIntervalsHaveNoSingleFastest) {
    Comparison comparison = test::cudaComparison();
    comparison.runs[1].time = test::timing(Clock::device, 1.99);
    const TextTable table = makeTable(makeReport(comparison));
    EXPECT_EQ(cell(table, 1, "Against naive"), "same");
    EXPECT_THAT(table.notes, Contains(HasSubstr("No single fastest")));
}

TEST(Table, saysWhichSharesAreOfArithmetic) {
    Comparison comparison = test::cudaComparison();
    const std::string memory =
        "Limit: device copy at 4,000 GB/s, measured in this process; GB/s counts input once and output once.";
    EXPECT_THAT(makeTable(makeReport(comparison)).notes, Contains(memory));
    comparison.runs[0].percentOfLimit = 60;  // of copy it is 1.25 %
    EXPECT_THAT(makeTable(makeReport(comparison)).notes,
                Contains(memory + " Of limit is of the FMA rate, 56.0 TFLOP/s, where that share is larger: naive."));
}

TEST(Table, aCheckThatReachedNoValueVerifiesNothing) {
    Comparison comparison = test::cudaComparison();
    for (std::size_t i : {0U, 1U}) {
        comparison.runs[i].verification->checkedShare = 0;
        comparison.runs[i].verification->note = "too long";
    }
    const TextTable table = makeTable(makeReport(comparison));
    EXPECT_EQ(cell(table, 0, "Check"), "unverified");
    EXPECT_THAT(table.notes, Contains("naive, constant: too long"));
    EXPECT_THAT(table.notes, Not(Contains(HasSubstr("Fastest: constant"))));
}

TEST(Table, saysWhereAnIterationStopped) {
    Comparison comparison = test::cpuComparison();
    ASSERT_GE(comparison.runs.size(), 2U);
    comparison.parameters["iterations"] = std::int64_t{1000};
    for (RunRecord& run : comparison.runs) run.family = "stencil";
    const auto evolution = [](std::int64_t steps, const char* why, double change) {
        return tablesOf(ConvergenceHistory{steps, why, {{steps, change}}});
    };
    comparison.runs[0].result.tables = evolution(130, "tolerance", 9.87654e-7);
    comparison.runs[1].result.tables = evolution(1000, "iterations", 0.25);
    const auto notes = makeTable(makeReport(comparison)).notes;
    const std::string last = "steps; the largest change in the last was ";
    EXPECT_THAT(notes, Contains("naive: stopped at the tolerance after 130 of 1,000 " + last + "9.88e-07"));
    EXPECT_THAT(notes, Contains(comparison.runs[1].variant + ": took all 1,000 " + last + "0.25"));
    comparison.runs[0].result.tables = tablesOf(ConvergenceHistory{1000, "iterations", {}});
    EXPECT_EQ(evolutionText(comparison.runs[0], comparison.parameters), "") << "nobody looked";
}

TEST(Table, theCpuDeviceHasNoWinner) {
    const TextTable table = makeTable(makeReport(test::cpuComparison()));
    EXPECT_THAT(titlesOf(table), Not(Contains(HasSubstr("Against"))));
    EXPECT_THAT(titlesOf(table), Not(Contains("GB/s")));
    EXPECT_EQ(cell(table, 0, "Variant"), "naive");
    EXPECT_THAT(table.notes, Contains(HasSubstr("No winner")));
    EXPECT_THAT(table.notes, Not(Contains(HasSubstr("astest"))));
}

TEST(Table, aLibraryRowOnTheCpuIsMarkedAsAnotherClock) {
    Comparison comparison = test::cpuComparison();
    comparison.runs.push_back(test::cudaComparison().runs[4]);
    EXPECT_THAT(makeTable(makeReport(comparison)).notes,
                Contains(HasSubstr("opencv was timed by the library's own clock")));
}

TEST(Table, theCpuDeviceShowsARecordedRunWithItsOrigin) {
    const RecordedRuns recorded({makeReport(test::cudaComparison())});
    const TextTable table = makeTable(makeReport(test::cpuComparison()), &recorded);
    EXPECT_EQ(cell(table, 0, "Test GPU ms"), "2.00");
    EXPECT_THAT(table.notes, Contains("Test GPU ms: recorded on Test GPU, 2026-01-31, 4 \u00d7 3 f32."));
    EXPECT_THAT(legend(table), HasSubstr("r recorded earlier"));
}

TEST(Table, aRecordedTimeOfACpuIsNoGpuTime) {
    Report report = makeReport(test::cudaComparison());
    report.runs.front().record.time->clock = Clock::library;
    const RecordedRuns recorded({report});
    EXPECT_EQ(cell(makeTable(makeReport(test::cpuComparison()), &recorded), 0, "Test GPU ms"), "\u2013");
}

/// The table's own notes name one picture: rows of other launches have no number, and without any there is no column.
TEST(Table, aRecordedTimeStandsBesideTheSameLaunchAlone) {
    const RecordedRuns recorded({makeReport(test::cudaComparison())});
    Report here = makeReport(test::cpuComparison());
    here.runs.front().record.tunables["block_width"] = 16;  // --set, which no id tells
    const TextTable table = makeTable(here, &recorded);
    EXPECT_EQ(cell(table, 0, "Test GPU ms"), "\u2013");
    EXPECT_EQ(cell(table, 1, "Test GPU ms"), "1.00");
    here.input.type = "u8";
    EXPECT_THAT(toText(makeTable(here, &recorded)), Not(HasSubstr("Test GPU")));
    here.input.type = "f32";
    here.input.shape.width = 8;
    EXPECT_THAT(toText(makeTable(here, &recorded)), Not(HasSubstr("Test GPU")));
}

TEST(Table, explainsTheLettersItShows) {
    const std::string text = toText(makeTable(makeReport(test::cudaComparison())));
    EXPECT_THAT(text, HasSubstr("Median ms M"));
    EXPECT_THAT(text, HasSubstr("Regs R"));
    EXPECT_THAT(text, HasSubstr("M measured in this run, R reported by driver or compiler"));
}

TEST(Table, textColumnsAreAligned) {
    TextTable table;
    table.columns = {{"a", {}, false}, {"b", {}, true}};
    table.rows = {{"\u00d7\u00d7\u00d7", "1"}, {"x", "22"}};
    EXPECT_EQ(toText(table), "\na     b\n\u00d7\u00d7\u00d7   1\nx    22\n");
}

TEST(Table, aLibraryThatDiffersIsNotCalledVerified) {
    Comparison comparison = test::cudaComparison();
    comparison.runs[4].verification->mismatches = 12;
    comparison.runs[4].verification->note = "rounds half away from zero";
    TextTable table = makeTable(makeReport(comparison));
    EXPECT_EQ(cell(table, 4, "Check"), "12 values differ");
    EXPECT_THAT(table.notes, Contains("opencv: rounds half away from zero"));
    comparison.runs[4].verification->mismatches = 1;
    table = makeTable(makeReport(comparison));
    EXPECT_EQ(cell(table, 4, "Check"), "1 value differs");
}

TEST(Table, namesTheParametersThatMatter) {
    Report report = makeReport(test::cudaComparison());
    report.parameters["border"] = std::string("wrap");
    report.parameters["amount"] = 1.0;
    EXPECT_EQ(parameterSummary(report), "filter gaussian, radius 2, sigma 0, border wrap");
    report.parameters["filter"] = std::string("sharpen");
    EXPECT_EQ(parameterSummary(report), "filter sharpen, amount 1, border wrap");
}

TEST(Table, saysHowMuchWasChecked) {
    Comparison comparison = test::cudaComparison();
    comparison.runs[0].verification->checkedShare = 0.12;
    EXPECT_EQ(cell(makeTable(makeReport(comparison)), 0, "Check"), "verified on 12 %");
}

// Words stay in their column and order, and lines fit wherever columns of 16 characters do.
TEST(AlignedRows, WrapBetweenWordsAtEveryWidth) {
    const std::string prose = "what a parameter does, in rather many words, of which none is long";
    TextTable table{.title = "",
                    .columns = {{"Id", {}, false}, {"Choices", {}, false}, {"Meaning", {}, false}},
                    .rows = {{"radius", "one, two, three, four, five, six, seven", prose}, {"x", "", "short"}},
                    .notes = {}};
    for (std::size_t width = 44; width < 140; ++width) {
        const std::string text = alignedRows(table, width);
        std::string meaning;
        std::size_t column = std::string::npos, lines = 0;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line); ++lines) {
            EXPECT_LE(line.size(), width) << line;
            if (column == std::string::npos)
                column = line.find("Meaning");
            else if (line.find("short") == std::string::npos && line.size() > column)
                meaning += (meaning.empty() ? "" : " ") + line.substr(column);
        }
        EXPECT_EQ(meaning, prose) << width;
    }
    EXPECT_EQ(alignedRows(table, 1000), alignedRows(table));
}

}  // namespace warplens
