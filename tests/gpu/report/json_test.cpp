// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/counts.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/report/html.hpp"
#include "gpu/report/ladder.hpp"
#include "gpu/report/report.hpp"
#include "gpu/report/table.hpp"
#include "io/error.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warplens {

using namespace gpu;

namespace {

nlohmann::json documentOf(const Comparison& comparison) {
    return nlohmann::json::parse(toJson(makeReport(comparison)));
}

}  // namespace

TEST(ReportJson, obeysItsSchema) {
    EXPECT_EQ(test::violation("report", toJson(makeReport(test::cudaComparison()))), "");
    EXPECT_EQ(test::violation("report", toJson(makeReport(test::cpuComparison()), true)), "");
}

TEST(ReportJson, schemaRefusesAnUnknownFieldAndAMissingOne) {
    auto document = documentOf(test::cpuComparison());
    document["runs"][0]["speed"] = 1;
    EXPECT_NE(test::violation(test::loadSchema("report"), document), "");
    document = documentOf(test::cpuComparison());
    document["runs"][1].erase("time");
    EXPECT_EQ(test::violation(test::loadSchema("report"), document), "/runs/1: lacks \"time\"");
}

TEST(ReportJson, keepsCountsAndResiduals) {
    Comparison comparison = test::cpuComparison();
    comparison.work.traffic = Traffic::read;
    comparison.runs[0].result = {};
    comparison.runs[0].result.tables =
        tablesOf(BinnedCounts{{0, 1.5, 3}, {{"red", {7, 5}, 1, 2, 3}, {"green", {0, 18}, 0, 0, 0}}});
    comparison.runs[1].result.tables = tablesOf(ConvergenceHistory{20, "tolerance", {{10, 0.5}, {20, 0.25}}});
    const std::string text = toJson(makeReport(comparison));
    EXPECT_EQ(test::violation("report", text), "");
    EXPECT_EQ(toJson(parseReport(text, "here")), text);
    const auto document = nlohmann::json::parse(text);
    const auto red = document["runs"][0]["result"][0];
    EXPECT_EQ(red["channel"], "red");
    EXPECT_EQ(red["bins"], nlohmann::json({7, 5}));
    EXPECT_EQ(red["below"], 1);
    EXPECT_EQ(red["above"], 2);
    EXPECT_EQ(red["nan"], 3);
    EXPECT_EQ(document["runs"][1]["evolution"]["residuals"][1]["max_change"], 0.25);
    EXPECT_EQ(document["work"]["traffic"], "read");
}

TEST(ReportJson, aCutTableSaysHowManyRowsItHadHoweverOftenItIsWritten) {
    Comparison comparison = test::cpuComparison();
    Table table{.id = "kept", .columns = {{.id = "x", .values = Column::Integers(10'001, 7)}}};
    comparison.runs[0].result.tables = {std::make_shared<const Table>(table)};
    const std::string text = toJson(makeReport(comparison));
    const auto found = nlohmann::json::parse(text)["runs"][0]["tables"][0];
    EXPECT_EQ(found["total_rows"], 10'001);
    EXPECT_EQ(found["rows"].size(), 10'000U);
    EXPECT_EQ(toJson(parseReport(text, "here")), text);
}

TEST(ReportJson, refusesWhatNoRunSays) {
    const auto refused = [](const char* field, const nlohmann::json& value) {
        auto document = documentOf(test::cpuComparison());
        document["runs"][0][field] = value;
        EXPECT_THROW(parseReport(document.dump(), "here"), io::Error) << field;
    };
    refused("result", nlohmann::json::parse(R"([{"channel": "value", "bins": [], "low": 0, "high": 1,
                                                 "below": 0, "above": 0, "nan": 0}])"));
    refused("id", "naive@@");
    refused("id", "another");
}

TEST(ReportJson, refusesStepsThatNoIterationTakes) {
    Comparison comparison = test::cpuComparison();
    comparison.runs[0].result = {};
    comparison.runs[0].result.tables = tablesOf(ConvergenceHistory{20, "iterations", {{10, 0.5}, {20, 0.25}}});
    const auto good = documentOf(comparison);
    EXPECT_NO_THROW(parseReport(good.dump(), "here"));
    const std::vector<std::vector<std::int64_t>> impossible{{-1},         {-20, 10, 20}, {9, 10, 20},
                                                            {20, -1, 20}, {20, 20, 10},  {20, 10, 21}};
    for (const auto& steps : impossible) {
        nlohmann::json residuals = nlohmann::json::array(), rows = nlohmann::json::array();
        for (std::size_t i = 1; i < steps.size(); ++i) {
            residuals.push_back({{"iteration", steps[i]}, {"max_change", 0.5}});
            rows.push_back({steps[i], 0.5});
        }
        // In the field of earlier versions, which counts where there are no tables, and in the tables.
        auto field = good, table = good;
        auto& run = field["runs"][0];
        run["evolution"]["iterations"] = steps[0];
        run["evolution"]["residuals"] = residuals;
        run.erase("tables");
        EXPECT_THROW(parseReport(field.dump(), "here"), io::Error) << residuals << steps[0];
        for (auto& one : table["runs"][0]["tables"]) {
            if (one["id"] == "steps") one["rows"][0][0] = steps[0];
            if (one["id"] != "residuals") continue;
            one["rows"] = rows;
            one["total_rows"] = rows.size();
        }
        EXPECT_THROW(parseReport(table.dump(), "here"), io::Error) << rows << steps[0];
    }
}

TEST(ReportJson, keepsThePlanOfASlabRun) {
    EXPECT_TRUE(documentOf(test::cudaComparison())["plan"].is_null());
    Comparison comparison = test::cudaComparison();
    comparison.plan = "6 slabs of 171 slices, halo 1, 980 MB on the device";
    const std::string text = toJson(makeReport(comparison));
    EXPECT_EQ(test::violation("report", text), "");
    EXPECT_EQ(parseReport(text, "here").plan, comparison.plan);
}

TEST(ReportJson, keepsWhichDeviceComputedWhichSlabs) {
    EXPECT_TRUE(documentOf(test::cudaComparison())["runs"][0]["slabs"].is_null());
    Comparison comparison = test::cudaComparison();
    comparison.runs[0].slabs = SlabMap{.axis = 2,
                                       .lines = 1000,
                                       .each = 171,
                                       .halo = 1,
                                       .devices = {"cuda:0", "cuda:1"},
                                       .held = {{1, 0, 342}, {0, 342, 171}, {1, 513, 487}}};
    const std::string text = toJson(makeReport(comparison));
    EXPECT_EQ(test::violation("report", text), "");
    const auto document = nlohmann::json::parse(text);
    EXPECT_EQ(document["runs"][0]["slabs"]["along"], "z");
    EXPECT_EQ(document["origins"]["slabs"], "counted");
    EXPECT_EQ(parseReport(text, "here").runs[0].record.slabs, comparison.runs[0].slabs);
    // Maps that no cut makes.
    for (const auto& [field, value] : std::initializer_list<std::pair<const char*, nlohmann::json>>{
             {"along", "w"},
             {"each", 0},
             {"each", 1001},
             {"lines", 0},
             {"halo", -1},
             {"devices", nlohmann::json::array()},
             {"devices", {"cuda:0"}},
             {"held", {{{"device", 0}, {"first", 0}, {"lines", 1001}}}},
             {"held", {{{"device", 0}, {"first", -1}, {"lines", 2}}}},
             {"held", {{{"device", 0}, {"first", 5}, {"lines", 5}}, {{"device", 1}, {"first", 9}, {"lines", 1}}}}}) {
        auto wrong = document;
        wrong["runs"][0]["slabs"][field] = value;
        EXPECT_THROW(parseReport(wrong.dump(), "here"), io::Error) << field << ' ' << value;
    }
}

TEST(ReportJson, aResultThatIsNotRightHasNoSpeed) {
    Comparison comparison = test::cudaComparison();
    for (const Status status : {Status::wrong, Status::failed, Status::unsupported}) {
        comparison.runs[0].status = status;
        const auto run = documentOf(comparison)["runs"][0];
        EXPECT_EQ(run["status"], nameOf(status));
        for (const char* field : {"time", "bandwidth_gbs", "percent_of_limit"})
            EXPECT_TRUE(run[field].is_null()) << field;
    }
}

TEST(ReportJson, numbersThatAreNotFiniteBecomeNull) {
    const auto run = documentOf(test::cudaComparison())["runs"][2];
    EXPECT_TRUE(run["verification"]["max_abs_error"].is_null());
    EXPECT_EQ(run["verification"]["mismatches"], 3);
}

TEST(ReportJson, storesEverythingThatParsingNeeds) {
    const Report report = makeReport(test::cudaComparison());
    const std::string text = toJson(report);
    EXPECT_EQ(toJson(parseReport(text, "here")), text);
    EXPECT_EQ(parseReport(text, "here").parameters, report.parameters);
    EXPECT_EQ(parseReport(text, "here").device.capabilityMajor, 9);
}

TEST(ReportJson, isTheSameOfRunsReducedAsTheyWereDone) {
    Comparison comparison = test::cudaComparison();
    auto picture = std::make_shared<io::Grid>(io::Shape{3, 2}, io::PixelType::u8);
    std::fill_n(picture->as<std::uint8_t>(), 6, std::uint8_t{7});
    comparison.runs[0].result.picture = picture;
    const std::string whole = toJson(makeReport(comparison));
    EXPECT_EQ(nlohmann::json::parse(whole)["runs"][0]["result"][0]["mean"], 7);
    std::vector<ReportRun> runs;
    for (RunRecord& run : comparison.runs) {
        runs.push_back(reduce(run));
        EXPECT_EQ(runs.back().record.result.picture, nullptr);
        run.result.picture.reset();
    }
    EXPECT_EQ(toJson(makeReport(comparison, runs)), whole);
}

TEST(ReportJson, oneLineHasNoLineBreak) {
    EXPECT_EQ(toJson(makeReport(test::cpuComparison()), true).find('\n'), std::string::npos);
}

TEST(ReportJson, survivesAFileNameThatIsNotUtf8) {
    Comparison comparison = test::cpuComparison();
    comparison.inputName = "caf\xe9.png";
    EXPECT_EQ(test::violation("report", toJson(makeReport(comparison))), "");
}

TEST(ReportJson, summarisesIntegersOf32BitsExactly) {
    for (const auto type : {io::PixelType::u32, io::PixelType::i32}) {
        io::Grid grid({3, 1, 1, 1}, type);
        const double low = type == io::PixelType::u32 ? 0 : -2147483648.0;
        const double high = type == io::PixelType::u32 ? 4294967295.0 : 2147483647.0;
        grid.setValue(0, 0, 0, 0, low);
        grid.setValue(1, 0, 0, 0, 16777217);
        grid.setValue(2, 0, 0, 0, high);
        const auto facts = summarise(grid).at(0);
        EXPECT_EQ(facts.minimum, low);
        EXPECT_EQ(facts.maximum, high);
        EXPECT_EQ(facts.mean, (low + 16777217 + high) / 3);
        EXPECT_EQ(facts.nonfinite, 0);
    }
}

TEST(ReportJson, summarisesAChannelWithoutItsNonfiniteValues) {
    io::Grid grid({2, 2, 1, 3}, io::PixelType::f32);
    for (std::size_t i = 0; i < 12; ++i) grid.as<float>()[i] = static_cast<float>(i);
    grid.as<float>()[1] = std::numeric_limits<float>::quiet_NaN();
    grid.as<float>()[4] = -std::numeric_limits<float>::infinity();
    const auto facts = summarise(grid);
    ASSERT_EQ(facts.size(), 3U);
    EXPECT_EQ(facts[0].minimum, 0);
    EXPECT_EQ(facts[0].maximum, 9);
    EXPECT_EQ(facts[0].mean, 4.5);
    EXPECT_EQ(facts[1].nonfinite, 2);
    EXPECT_EQ(facts[1].minimum, 7);
    for (const std::size_t i : {1U, 4U, 7U, 10U}) grid.as<float>()[i] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(summarise(grid)[1].mean.has_value());
}

TEST(ContentHash, tellsValuesShapesAndTypesApart) {
    io::Grid grid({5, 3, 1, 1}, io::PixelType::u8);
    for (std::size_t i = 0; i < 15; ++i) grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    const std::string hash = contentHash(grid);
    EXPECT_EQ(hash, contentHash(grid.clone()));
    EXPECT_EQ(hash.rfind("fnv1a64w:", 0), 0U);
    for (std::size_t i = 0; i < 15; ++i) {
        io::Grid other = grid.clone();
        other.as<std::uint8_t>()[i] ^= 1;
        EXPECT_NE(contentHash(other), hash) << i;
    }
    // The top bits of two words: without the fold their changes cancel.
    io::Grid twice({24, 1, 1, 1}, io::PixelType::u8);
    std::fill_n(twice.as<std::uint8_t>(), 24, std::uint8_t{0});
    const std::string plain = contentHash(twice);
    twice.as<std::uint8_t>()[7] = twice.as<std::uint8_t>()[15] = 0x80;
    EXPECT_NE(contentHash(twice), plain);

    io::Grid turned({3, 5, 1, 1}, io::PixelType::u8);
    std::copy_n(grid.as<std::uint8_t>(), 15, turned.as<std::uint8_t>());
    EXPECT_NE(contentHash(turned), hash);
}

TEST(ReportJson, localMemoryOfAThreadIsToldWhereItIsReported) {
    const auto read = [](std::optional<std::int64_t> bytes) {
        Comparison comparison = test::cudaComparison();
        comparison.runs.resize(1);
        comparison.runs[0].launch->localBytes = bytes;
        const std::string json = toJson(makeReport(comparison));
        EXPECT_EQ(test::violation("report", json), "");
        return parseReport(json, "r.json");
    };
    const auto told = [](Report recorded) {
        Report counted = recorded;
        counted.runs[0].record.counters = Counters();
        const RecordedRuns runs({recorded});
        return ladderText(counted, &runs);
    };
    for (const auto bytes : {std::optional<std::int64_t>(), std::optional<std::int64_t>(0)}) {
        EXPECT_EQ(read(bytes).runs[0].record.launch->localBytes, bytes);
        EXPECT_EQ(told(read(bytes)).find("local memory"), std::string::npos);
    }
    EXPECT_EQ(read(96).runs[0].record.launch->localBytes, 96);
    EXPECT_NE(told(read(96)).find("96 B (spills and indexed arrays)"), std::string::npos) << told(read(96));
    // A document of an earlier version has no such field.
    auto earlier = nlohmann::ordered_json::parse(toJson(read(96)));
    earlier["runs"][0]["launch"].erase("local_bytes");
    EXPECT_EQ(test::violation("report", earlier.dump()), "");
    EXPECT_FALSE(parseReport(earlier.dump(), "r.json").runs[0].record.launch->localBytes);
}

TEST(ReportJson, theInstanceThatRanIsToldInEveryFormat) {
    const auto reportOf = [](std::optional<Specialisation> special) {
        Comparison comparison = test::cudaComparison();
        comparison.runs.resize(1);
        comparison.runs[0].launch->special = std::move(special);
        return makeReport(comparison);
    };
    const Specialisation made{.used = true, .compileMs = 812.5, .cached = true, .readyMs = 3.25, .reason = {}};
    const Specialisation none{.reason = "NVRTC was not found: install it"};
    Specialisation constant = made;
    constant.weights = true;
    for (const auto& special :
         {std::optional<Specialisation>(), std::optional(made), std::optional(none), std::optional(constant)}) {
        const std::string json = toJson(reportOf(special));
        EXPECT_EQ(test::violation("report", json), "");
        EXPECT_EQ(parseReport(json, "r.json").runs[0].record.launch->special, special);
    }
    const auto said = [](const Report& report, const std::string& text) {
        for (const std::string& document : {toText(makeTable(report, nullptr)), toMarkdown(report, nullptr),
                                            toHtml(report, {.pictures = {}, .whyNoPictures = {}, .recorded = nullptr})})
            if (document.find(text) == std::string::npos) return false;
        return true;
    };
    EXPECT_TRUE(said(reportOf(made), "specialised for this task; the compiler took 812 ms when it was made"));
    EXPECT_TRUE(said(reportOf(constant), "specialised for this task, weights as constants; the compiler took 812 ms"));
    EXPECT_TRUE(said(reportOf(none), "the general kernel ran: NVRTC was not found: install it"));
    EXPECT_FALSE(said(reportOf({}), "specialised"));
    EXPECT_NE(toCsv(reportOf(made)).find(",specialised,812.5"), std::string::npos) << toCsv(reportOf(made));
    EXPECT_NE(toCsv(reportOf(none)).find(",general,"), std::string::npos);
    // A document of an earlier version has no such field.
    auto earlier = nlohmann::ordered_json::parse(toJson(reportOf(made)));
    earlier["runs"][0]["launch"].erase("instance");
    EXPECT_EQ(test::violation("report", earlier.dump()), "");
    EXPECT_FALSE(parseReport(earlier.dump(), "r.json").runs[0].record.launch->special);
    earlier = nlohmann::ordered_json::parse(toJson(reportOf(constant)));
    earlier["runs"][0]["launch"]["instance"].erase("weights_as_constants");
    EXPECT_EQ(test::violation("report", earlier.dump()), "");
    EXPECT_EQ(parseReport(earlier.dump(), "r.json").runs[0].record.launch->special, made);
}

TEST(ParseReport, saysInOneLineWhatIsAmiss) {
    const auto messageOf = [](const std::string& text) -> std::string {
        try {
            parseReport(text, "r.json");
        } catch (const io::Error& error) {
            EXPECT_EQ(error.kind(), io::Error::Kind::unreadable);
            return error.what();
        }
        return "no error";
    };
    EXPECT_NE(messageOf("{").find("r.json: not a Warplens report: it is not JSON"), std::string::npos);
    EXPECT_NE(messageOf("{}").find("'warplens'"), std::string::npos);
    auto document = documentOf(test::cpuComparison());
    document["runs"][0]["status"] = "splendid";
    EXPECT_NE(messageOf(document.dump()).find("splendid"), std::string::npos);
    for (const char* text : {"", "[]", "null", "3", "{\"warplens\":3}"}) EXPECT_NE(messageOf(text), "no error") << text;
}

TEST(ParseReport, everyPrefixOfAReportIsRefused) {
    const std::string text = toJson(makeReport(test::cpuComparison()), true);
    for (std::size_t length = 0; length + 1 < text.size(); length += 7) {
        EXPECT_THROW(parseReport(text.substr(0, length), "r.json"), io::Error) << length;
    }
}

TEST(LoadReport, namesAFileThatIsNotThere) {
    const test::TemporaryFolder folder;
    EXPECT_THROW(loadReport(folder / "none.json"), io::Error);
    EXPECT_THROW(loadReport(folder.path().string()), io::Error);
}

}  // namespace warplens
