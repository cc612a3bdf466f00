// SPDX-License-Identifier: Apache-2.0
// Documents name a run by its variant and the tunables chosen for it; those of earlier versions by the variant alone.
#include "gpu/report/diff.hpp"
#include "gpu/report/html.hpp"
#include "gpu/report/ladder.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/sweep_document.hpp"
#include "gpu/report/table.hpp"
#include "io/error.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using namespace gpu;
using testing::HasSubstr;

const std::string kEarlier = std::string(WARPLENS_SOURCE_DIR) + "/tests/gpu/report/earlier/";
const std::string kTwice = "naive@block_width=16";

/// naive 2 ms, and naive again in other blocks, 1 ms.
Report twice() {
    Comparison comparison = test::cudaComparison();
    comparison.runs.resize(2);
    comparison.runs[1].variant = "naive";
    comparison.runs[1].chosen = {{"block_width", 16}};
    comparison.runs[1].tunables = {{"block_width", 16}, {"block_height", 8}};
    return makeReport(comparison);
}

std::string refusalOf(const nlohmann::ordered_json& document) {
    try {
        parseReport(document.dump(), "r.json");
    } catch (const io::Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST(RunId, comesBackFromAReport) {
    const std::string json = toJson(twice());
    EXPECT_EQ(test::violation("report", json), "");
    const auto run = nlohmann::json::parse(json)["runs"][1];
    EXPECT_EQ(run["variant"], "naive");
    EXPECT_EQ(run["id"], kTwice);
    const Report read = parseReport(json, "r.json");
    EXPECT_EQ(read.runs[0].record.id(), "naive");
    EXPECT_EQ(read.runs[1].record.id(), kTwice);
    EXPECT_EQ(read.runs[1].record.variant, "naive");
    EXPECT_EQ(toJson(read), json);
}

TEST(RunId, standsInEveryFormWithItsVerdict) {
    const Report report = twice();
    const std::string text = toText(makeTable(report, nullptr));
    EXPECT_THAT(text, HasSubstr("Against naive "));
    EXPECT_THAT(text, HasSubstr("Fastest: " + kTwice + "."));
    EXPECT_THAT(toCsv(report), HasSubstr("," + kTwice + ",,"));
    EXPECT_THAT(toHtml(report), HasSubstr(">" + kTwice + "</text>"));
}

TEST(RunId, theRecordedTimeIsThatOfTheSameRun) {
    Report here = twice();
    here.device.kind = DeviceKind::simt;
    here.device.name = "CPU";
    const RecordedRuns recorded({twice()});
    const TextTable table = makeTable(here, &recorded);
    const auto column = std::ranges::find(table.columns, Origin::recorded, &TextTable::Column::origin);
    ASSERT_NE(column, table.columns.end());
    const auto at = static_cast<std::size_t>(column - table.columns.begin());
    EXPECT_EQ(table.rows[0][at], "2.00");
    EXPECT_EQ(table.rows[1][at], "1.00");
}

TEST(RunId, diffMatchesByIt) {
    Report other = twice();
    std::swap(other.runs[0], other.runs[1]);
    const Diff found = diff(twice(), other);
    ASSERT_EQ(found.rows.size(), 2U);
    for (const DiffRow& row : found.rows) EXPECT_EQ(row.verdict, Verdict::same) << row.id;
    EXPECT_EQ(found.rows[1].id, kTwice);
    EXPECT_EQ(found.rows[1].variant, "naive");
    EXPECT_THAT(toText(found), HasSubstr(kTwice));
    EXPECT_EQ(test::violation("diff", toJson(found)), "");
}

TEST(RunId, thatContradictsItsVariantOrIsNoneIsRefused) {
    for (const char* id : {"constant@block_width=16", "naive@block_width", "naive@block_width=x"}) {
        auto document = nlohmann::ordered_json::parse(toJson(twice()));
        document["runs"][1]["id"] = id;
        EXPECT_THAT(refusalOf(document), HasSubstr(id));
    }
}

TEST(RunId, ofAReportOfAnEarlierVersionIsItsVariant) {
    EXPECT_EQ(test::violation("report", test::readText(kEarlier + "report.json")), "");
    const Report report = loadReport(kEarlier + "report.json");
    ASSERT_EQ(report.runs.size(), 2U);
    for (const ReportRun& run : report.runs) {
        EXPECT_EQ(run.record.id(), run.record.variant);
        EXPECT_FALSE(run.record.tunables.empty());
    }
    const Diff found = diff(report, parseReport(toJson(report), "r.json"));
    for (const DiffRow& row : found.rows) EXPECT_THAT(row.reason, testing::Not(HasSubstr("only in"))) << row.id;
}

TEST(RunId, ofASweepComesBackAndOfAnEarlierOneIsItsVariant) {
    const std::string text = test::readText(kEarlier + "sweep.json");
    EXPECT_EQ(test::violation("sweep", text), "");
    Sweep sweep = parseSweep(text, "s.sweep.json");
    ASSERT_EQ(sweep.cells.size(), 1U);
    EXPECT_EQ(sweep.cells[0].rows[0].id, "naive");
    sweep.cells[0].rows[0].id = kTwice;
    EXPECT_EQ(test::violation("sweep", toJson(sweep)), "");
    EXPECT_EQ(nlohmann::json::parse(toJson(sweep))["cells"][0]["runs"][0]["variant"], "naive");
    EXPECT_EQ(parseSweep(toJson(sweep), "s.sweep.json").cells[0].rows[0].id, kTwice);
}

TEST(RunId, theLadderHoldsARungAgainstTheVariantThatWasNamedAlone) {
    Report report = twice();
    for (ReportRun& run : report.runs) run.record.counters = Counters();
    report.runs.push_back(report.runs[0]);
    report.runs.back().record.variant = "constant";
    EXPECT_THAT(ladderText(report, nullptr), HasSubstr("against naive:"));
    EXPECT_THAT(ladderText(report, nullptr), HasSubstr(kTwice + " "));
    report.runs.erase(report.runs.begin());
    EXPECT_THAT(ladderText(report, nullptr), HasSubstr("against " + kTwice + ":"));
}

}  // namespace warplens
