// SPDX-License-Identifier: Apache-2.0
// Where the time goes: stages, total and exposed time in every document.
#include "gpu/report/stages.hpp"

#include "gpu/report/html.hpp"
#include "gpu/report/html_bars.hpp"
#include "gpu/report/table.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens {

using namespace gpu;
using testing::HasSubstr;
using testing::Not;

namespace {

Report staged(Comparison comparison) {
    for (RunRecord& run : comparison.runs) {
        if (!run.time || run.kind == Variant::Kind::library) continue;
        run.uploadMs = 4;
        run.layoutMs = 0.5;
        run.downloadMs = 3;
    }
    return makeReport(comparison);
}

}  // namespace

TEST(Stages, totalAndExposedAreTheSumsOfWhatThereIs) {
    EXPECT_EQ((Stages{4, 0.5, 2, 3, 1}.total()), 10.5);
    EXPECT_EQ((Stages{4, 0.5, 2, 3, 1}.exposed()), 7.5) << "neither the kernel nor the display";
    EXPECT_EQ((Stages{.kernel = 2}.total()), 2.0);
    EXPECT_FALSE(Stages{.kernel = 2}.exposed().has_value()) << "nothing is transferred";
    EXPECT_FALSE((Stages{.upload = 4}.total().has_value())) << "without a time of the kernel";
}

TEST(Stages, everyDocumentSaysWhereTheTimeGoes) {
    Report report = staged(test::cudaComparison());
    report.runs[0].displayMs = 1;
    const TextTable table = stagesTable(report);
    std::vector<std::string> titles;
    for (const auto& column : table.columns) titles.push_back(headText(column));
    EXPECT_THAT(titles, testing::ElementsAre("Variant", "Upload ms M", "Layout ms M", "Kernel ms M", "Download ms M",
                                             "Display ms M", "Total ms M", "Exposed ms M"));
    EXPECT_THAT(table.rows[0], testing::ElementsAre("naive", "4.00", "0.500", "2.00", "3.00", "1.00", "10.5", "7.50"));
    EXPECT_THAT(table.rows[1],
                testing::ElementsAre("constant", "4.00", "0.500", "1.00", "3.00", "\u2013", "8.50", "7.50"));
    EXPECT_EQ(table.rows[2][3], "\u2013") << "a wrong result has no time of its kernel";
    EXPECT_EQ(table.rows[2][6], "\u2013");
    const std::string markdown = toMarkdown(report), html = toHtml(report, {});
    EXPECT_THAT(markdown, HasSubstr("### Where the time goes"));
    EXPECT_THAT(markdown, HasSubstr("Exposed: upload, layout and download"));
    EXPECT_THAT(html, HasSubstr("<h2>Where the time goes"));
    const auto json = nlohmann::json::parse(toJson(report));
    EXPECT_EQ(test::violation("report", json.dump()), "");
    EXPECT_EQ(json["runs"][0]["display_ms"], 1);
    EXPECT_EQ(json["runs"][0]["total_ms"], 10.5);
    EXPECT_EQ(json["runs"][0]["exposed_ms"], 7.5);
    EXPECT_TRUE(json["runs"][2]["total_ms"].is_null());
    EXPECT_EQ(json["origins"]["exposed_ms"], "measured");
    const Report again = parseReport(json.dump(), "again");
    EXPECT_EQ(toJson(again), toJson(report));
}

TEST(Stages, barsAreStackedFromZeroInTheirOrder) {
    Report report = staged(test::cudaComparison());
    report.runs[0].displayMs = 1;
    const std::string svg = html::stageBars(report);
    // What stands between the quotes that follow `name` after `from`.
    const auto quoted = [&](const std::string& name, std::size_t from) {
        const std::size_t begin = svg.find(name + "=\"", from) + name.size() + 2;
        return svg.substr(begin, svg.find('"', begin) - begin);
    };
    std::vector<std::string> names;
    std::vector<double> widths;
    double end = 0;
    const std::string rect = "<rect class=\"";
    for (auto at = svg.find(rect); at != std::string::npos; at = svg.find(rect, at + 1)) {
        if (names.size() == 5) break;  // the first row's
        names.push_back(quoted(" class", at));
        const double x = std::stod(quoted(" x", at));
        widths.push_back(std::stod(quoted(" width", at)));
        if (names.size() > 1) {
            EXPECT_NEAR(x, end, 0.02) << "one behind the other";
        }
        end = x + widths.back();
    }
    EXPECT_THAT(names, testing::ElementsAre("upload", "planes", "idea0", "download", "display"));
    const double ms[] = {4, 0.5, 2, 3, 1};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(widths[i] / widths[0], ms[i] / 4, 1e-3) << names[i];
}

TEST(Stages, withoutAGpuOnlyWhatThereIsIsShownByTheDevicesOwnClock) {
    Comparison comparison = test::cpuComparison();
    for (RunRecord& run : comparison.runs) {
        run.uploadMs = 0;  // it lay there
        run.layoutMs = 0;
        run.downloadMs = 0.25;
    }
    const TextTable table = stagesTable(makeReport(comparison));
    std::string titles;
    for (const auto& column : table.columns) titles += column.title + ", ";
    EXPECT_EQ(titles, "Variant, Kernel ms, Download ms, Total ms, Exposed ms, ");
    std::string notes;
    for (const std::string& note : table.notes) notes += note + "\n";
    EXPECT_THAT(notes, HasSubstr("CPU device's own clock"));
    EXPECT_THAT(notes, HasSubstr("the input lay on the device already"));
    EXPECT_THAT(html::stageBars(makeReport(comparison)), HasSubstr("class=\"unranked\""));
    for (RunRecord& run : comparison.runs) run.uploadMs = run.layoutMs = run.downloadMs = std::nullopt;
    EXPECT_TRUE(stagesTable(makeReport(comparison)).rows.empty()) << "kernels alone are in the table of the runs";
    EXPECT_EQ(html::stageBars(makeReport(comparison)), "");
}

TEST(RegionErrors, goWithTheirRunThroughEveryDocument) {
    Report report = makeReport(test::cudaComparison());
    EXPECT_TRUE(errorTable(report).rows.empty()) << "nobody asked";
    report.runs[0].errors = {{"all", 12, 5, 3.5, 0.75, 1e-7, PixelPlace{2, 1, 0}}, {"border", 8, 0, 0, 0, 0, {}}};
    const TextTable table = errorTable(report);
    EXPECT_THAT(table.rows[0], testing::ElementsAre("naive", "all", "12", "3.5", "2, 1", "0.75", "1e\u22127", "5"));
    EXPECT_EQ(table.rows[1][4], "\u2013");
    EXPECT_THAT(toMarkdown(report), HasSubstr("### Errors against the double reference"));
    const auto json = nlohmann::json::parse(toJson(report));
    EXPECT_EQ(test::violation("report", json.dump()), "");
    EXPECT_EQ(json["runs"][0]["errors"][0]["max_at"], nlohmann::json({2, 1, 0}));
    EXPECT_EQ(json["origins"]["errors"], "measured");
    const Report again = parseReport(json.dump(), "again");
    ASSERT_EQ(again.runs[0].errors.size(), 2U);
    EXPECT_EQ(toJson(again), toJson(report));
}

}  // namespace warplens
