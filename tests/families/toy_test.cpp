// SPDX-License-Identifier: Apache-2.0
// A family that is added by its folder and its line goes through every command without another edit.
#include "tests/support/program.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {

using nlohmann::json;
using testing::HasSubstr;

namespace {

const std::string kPicture = "gen:noise:50x40:u8:c=3";

Outcome toy(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), WARPLENS_TOY_CLI);
    environment.emplace("XDG_CACHE_HOME", "/proc/nonexistent");
#ifdef WARPLENS_TOY_TRACE
    environment.emplace("WARPLENS_TRACE", WARPLENS_TOY_TRACE);
#endif
    return runProgram(arguments, environment);
}

json reportOf(const std::string& path) {
    const std::string text = readText(path);
    EXPECT_EQ(violation("report", text), "");
    return json::parse(text);
}

TEST(Toy, isListedWithItsVariantsParametersAndNames) {
    EXPECT_THAT(toy({"list", "families"}).out, HasSubstr("toy"));
    EXPECT_THAT(toy({"list", "variants", "toy", "--markdown"}).out, HasSubstr("one thread, several values"));
    EXPECT_THAT(toy({"list", "parameters"}).out, HasSubstr("--level"));
    const Outcome levels = toy({"list", "levels", "--json"});
    ASSERT_EQ(levels.status, 0) << levels.err;
    EXPECT_EQ(json::parse(levels.out), json::parse(R"([{"id": "low", "level": 10}, {"id": "high", "level": 200}])"));
    for (const char* what : {"families", "variants", "parameters", "filters", "stencils"})
        EXPECT_EQ(toy({"list", what}).status, 0) << what;
}

TEST(Toy, runsAndIsVerified) {
    const TemporaryFolder folder;
    const Outcome outcome = toy({"run", kPicture, "toy", "--level", "90", "--variant", "coarsened", "--device", "cpu",
                                 "-o", folder / "black.npy", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "black.npy"));
    const json report = reportOf(folder / "r.json");
    EXPECT_EQ(report["family"], "toy");
    EXPECT_EQ(report["parameters"]["level"], 90);
    EXPECT_EQ(report["runs"][0]["status"], "ok");
    EXPECT_EQ(report["runs"][0]["verification"]["mismatches"], 0);
    const json above = report["runs"][0]["tables"][0];
    EXPECT_EQ(above["id"], "above");
    EXPECT_EQ(above["columns"][1], json::parse(R"({"id": "count", "title": "Values", "unit": "", "type": "integer"})"));
    ASSERT_EQ(above["rows"].size(), 3U);
    EXPECT_GT(above["rows"][2][1], 1000) << "of 2,000 values about 1,294";
    EXPECT_THAT(outcome.out, HasSubstr("Above the level"));
}

TEST(Toy, writesItsTableAsCsvAndAsNpy) {
    const TemporaryFolder folder;
    const std::vector<std::string> run{"run", "gen:constant:4x2:u8:c=3", "toy", "--level", "0", "--device", "cpu",
                                       "-o"};
    const auto written = [&](const std::string& name) {
        auto arguments = run;
        arguments.push_back(folder / name);
        const Outcome outcome = toy(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return readText(folder / name);
    };
    EXPECT_EQ(written("above.csv"), "channel,count\n0,8\n1,8\n2,8\n");
    EXPECT_THAT(written("picture.npy"), HasSubstr("'descr': '|u1'")) << "the picture, where there is one";
    EXPECT_THAT(toy({"run", kPicture, "toy", "--device", "cpu", "-o", folder / "above.txt"}).err,
                HasSubstr("above.txt: a result is not written as .txt: end it in"));
}

TEST(Toy, isComparedAndReportedInEveryFormat) {
    const TemporaryFolder folder;
    for (const char* name : {"r.json", "r.csv", "r.md", "r.html"}) {
        const Outcome outcome = toy({"compare", kPicture, "toy", "--device", "cpu", "--report", folder / name});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("coarsened"));
        EXPECT_THAT(readText(folder / name), HasSubstr("coarsened")) << name;
        if (std::string(name) != "r.csv") {
            EXPECT_THAT(readText(folder / name), HasSubstr("Above the level")) << name;
        }
    }
    const json report = reportOf(folder / "r.json");
    ASSERT_EQ(report["runs"].size(), 3U);
    for (const json& run : report["runs"]) EXPECT_EQ(run["status"], "ok") << run["variant"];
    EXPECT_EQ(toy({"diff", folder / "r.json", folder / "r.json"}).status, 0);
}

TEST(Toy, isSweptOverItsOwnParameter) {
    const TemporaryFolder folder;
    const Outcome outcome = toy({"sweep", "toy", "--radii", "50,100", "--sizes", "32", "--type", "u8", "--device",
                                 "cpu", "--report", folder / "r.sweep.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::string text = readText(folder / "r.sweep.json");
    EXPECT_EQ(violation("sweep", text), "");
    EXPECT_EQ(json::parse(text)["parameter"], "level");
    EXPECT_EQ(json::parse(text)["cells"].size(), 2U);
    // Whoever has a parameter to vary is named, this family among them.
    EXPECT_THAT(toy({"sweep", "stencil"}).err, testing::ContainsRegex("has no parameter to vary; give .*, toy\n"));
}

TEST(Toy, hasItsBenchmarkInItsFolder) {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const fs::path families = folder.path() / "families";
    fs::create_directories(families);
    for (const char* where : {"gpu/families", "tests/families"}) {
        for (const auto& entry : fs::directory_iterator(fs::path(WARPLENS_SOURCE_DIR) / where))
            if (entry.is_directory()) fs::create_directory_symlink(entry.path(), families / entry.path().filename());
    }
    const Outcome outcome =
        toy({"bench", "--suite", "toy", "--device", "cpu", "--json"}, {{"WARPLENS_RESOURCES", folder.path().string()}});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(violation("bench", outcome.out), "");
    const json result = json::parse(outcome.out);
    ASSERT_EQ(result["cases"].size(), 1U);
    const json& runs = result["cases"][0]["report"]["runs"];
    EXPECT_GE(runs.size(), 3U);
    for (const json& run : runs) EXPECT_EQ(run["status"], "ok") << run["variant"];
}

#ifdef WARPLENS_TOY_TRACE
TEST(Toy, isExplained) {
    const TemporaryFolder folder;
    const Outcome outcome = toy({"explain", kPicture, "toy", "--report", folder / "r.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("against plain:"));
    for (const json& run : reportOf(folder / "r.json")["runs"]) {
        if (run["kind"] != "kernel") continue;
        EXPECT_GT(run["counters"]["global_load"]["requests"], 0) << run["variant"];
        EXPECT_TRUE(run["counters"]["findings"].empty()) << run["variant"];
        EXPECT_THAT(run["counters"]["lines"].dump(), HasSubstr("tests/families/toy/")) << run["variant"];
    }
}
#endif

}  // namespace
}  // namespace warplens::test
