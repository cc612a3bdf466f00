// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/recorded.hpp"

#include "gpu/model/occupancy.hpp"
#include "gpu/report/sweep_document.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace warplens {

using namespace gpu;

namespace {

std::string recordedJson(std::int64_t side, const std::string& date) {
    Report report = makeReport(test::cudaComparison());
    report.input.shape.width = report.input.shape.height = side;
    report.environment.date = date;
    return toJson(report);
}

}  // namespace

TEST(Recorded, findsTheNearestSizeAndOfThoseTheNewest) {
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "session");
    test::writeText(folder / "session/a.json", recordedJson(8192, "2026-01-01T00:00:00Z"));
    test::writeText(folder / "session/b.json", recordedJson(512, "2026-01-01T00:00:00Z"));
    test::writeText(folder / "session/c.json", recordedJson(512, "2026-02-01T00:00:00Z"));
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_EQ(runs.reports.size(), 3U);
    EXPECT_TRUE(runs.problems.empty());
    Report wanted = makeReport(test::cpuComparison());
    ASSERT_NE(findRecorded(runs, wanted), nullptr);
    EXPECT_EQ(findRecorded(runs, wanted)->environment.date, "2026-02-01T00:00:00Z");
    wanted.input.shape.width = wanted.input.shape.height = 6000;
    EXPECT_EQ(findRecorded(runs, wanted)->input.shape.width, 8192);
    wanted.parameters["radius"] = std::int64_t{3};
    EXPECT_EQ(findRecorded(runs, wanted), nullptr);
}

TEST(Recorded, volumesStandForVolumesAndAHistogramForItsKindOfValues) {
    RecordedRuns runs;
    const auto add = [&](const char* family, const char* name, std::int64_t side, std::int64_t depth,
                         const char* date) {
        Report report;
        report.family = family;
        report.input.name = name;
        report.input.shape = {side, side, depth, 1};
        report.environment.date = date;
        runs.reports.push_back(report);
    };
    add("stencil", "gen:noise:64x64:f32", 64, 1, "2026-02-01");
    add("stencil", "gen:noise:512x512x512:f32", 512, 512, "2026-01-01");
    add("histogram", "gen:gradient:64x64:u8:axis=xy", 64, 1, "2026-03-01");
    add("histogram", "gen:constant:64x64:u8", 64, 1, "2026-03-02");
    add("histogram", "gradient-u8.npy", 4096, 1, "2026-01-01");
    Report asked;
    asked.family = "stencil";
    asked.input.shape = {16, 16, 16, 1};
    EXPECT_EQ(findRecorded(runs, asked)->input.shape.depth, 512) << "far larger, yet a volume";
    asked.input.shape.depth = 1;
    EXPECT_EQ(findRecorded(runs, asked)->input.shape.depth, 1);
    add("stencil", "gen:noise:4096x4096:f32:c=3", 4096, 1, "2026-01-01");
    runs.reports.back().input.shape.channels = 3;
    EXPECT_EQ(findRecorded(runs, asked)->input.shape.channels, 1);
    asked.input.shape.channels = 3;
    EXPECT_EQ(findRecorded(runs, asked)->input.shape.channels, 3) << "far larger, yet of three channels";
    asked.input.shape.channels = 1;
    asked.family = "histogram";
    asked.input.name = "gen:gradient:64x64:u8";
    EXPECT_EQ(findRecorded(runs, asked)->input.name, "gradient-u8.npy");
    asked.input.name = "gen:gradient:32x32:u16:axis=xy";
    EXPECT_EQ(findRecorded(runs, asked)->input.name, "gen:gradient:64x64:u8:axis=xy");
    asked.input.name = "photo.png";
    EXPECT_EQ(findRecorded(runs, asked)->input.name, "gen:constant:64x64:u8")
        << "none of its kind: the nearest in size, the newest";
}

TEST(Recorded, aBenchmarkIsAsManyRunsAsItHasCasesWithoutTheRowOfAuto) {
    const test::TemporaryFolder folder;
    auto report = nlohmann::json::parse(recordedJson(8192, "2026-01-01T00:00:00Z"));
    const auto rows = report["runs"].size();
    report["runs"].push_back(report["runs"][0]);
    report["runs"].back()["variant"] = report["runs"].back()["id"] = "auto";
    const nlohmann::json bench{{"cases", {{{"report", report}}, {{"report", nullptr}}, {{"report", report}}}}};
    test::writeText(folder / "bench.json", bench.dump());
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_TRUE(runs.problems.empty());
    ASSERT_EQ(runs.reports.size(), 2U);
    EXPECT_EQ(runs.reports[1].runs.size(), rows);
}

TEST(Recorded, aBadFileCostsItselfAlone) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "bad.json", "{");
    test::writeText(folder / "cpu.json", toJson(makeReport(test::cpuComparison())));
    test::writeText(folder / "good.json", recordedJson(8192, "2026-01-01T00:00:00Z"));
    const RecordedRuns runs = loadRecorded(folder.path());
    EXPECT_EQ(runs.reports.size(), 1U);
    EXPECT_EQ(runs.problems.size(), 2U);
    EXPECT_TRUE(loadRecorded(folder.path() / "missing").reports.empty());
}

TEST(Recorded, whatIsShippedIsSound) {
    const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded";
    for (const std::string& problem : loadRecorded(folder).problems) ADD_FAILURE() << problem;
    std::vector<std::string> problems;
    for (const StoredSweep& stored : loadSweeps(folder, problems)) {
        EXPECT_TRUE(stored.sweep.device.ranks()) << stored.path;
        EXPECT_EQ(stored.sweep.cells.size(), stored.sweep.wanted()) << stored.path;
    }
    for (const std::string& problem : problems) ADD_FAILURE() << problem;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const std::string text = test::readText(entry.path());
        const bool sweep = entry.path().string().ends_with(kSweepEnding),
                   bench = nlohmann::json::parse(text).contains("cases");
        EXPECT_EQ(test::violation(sweep ? "sweep" : bench ? "bench" : "report", text), "") << entry.path();
    }
}

TEST(Recorded, theModelOfOccupancyGivesWhatTheRuntimeReported) {
    const std::filesystem::path folder = std::filesystem::path(WARPLENS_SOURCE_DIR) / "resources" / "recorded";
    int compared = 0;
    for (const Report& report : loadRecorded(folder).reports) {
        for (const ReportRun& run : report.runs) {
            // Facts of several kernels are mixed: the largest of each.
            const auto needs =
                run.record.launch && run.record.launch->kernels == 1 ? needsOf(*run.record.launch) : std::nullopt;
            if (!needs) continue;
            ++compared;
            EXPECT_DOUBLE_EQ(occupancyOf(*needs, report.device)->share(), run.record.launch->occupancy)
                << report.family << " " << run.record.variant;
        }
    }
    EXPECT_GE(compared, 80);
}

}  // namespace warplens
