// SPDX-License-Identifier: Apache-2.0
// compare keeps what it finished, and `history` gives it back.
#include "gpu/history/store.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> kCompare{"compare", "gen:noise:16x12:u8", "convolution",      "--device",
                                        "cpu",     "--variants",         "naive,tiled_input"};

class History : public testing::Test {
protected:
    /// With the history switched on, in a folder of its own.
    Outcome call(std::vector<std::string> words, std::map<std::string, std::string> environment = {}) {
        environment.emplace("WARPLENS_HISTORY", "");
        environment.emplace("XDG_DATA_HOME", m_folder.path().string());
        return cli(std::move(words), environment);
    }
    nlohmann::json listed() {
        const Outcome outcome = call({"history", "list", "--json"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("history", outcome.out), "");
        return nlohmann::json::parse(outcome.out)["comparisons"];
    }
    std::filesystem::path file() const { return m_folder.path() / "warplens" / "history.sqlite"; }

    TemporaryFolder m_folder;
};

TEST_F(History, IsOffInEveryOtherTest) {
    const Outcome outcome = cli(kCompare, {{"XDG_DATA_HOME", m_folder.path().string()}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(History, KeepsWhatWasComparedAndShowsIt) {
    const Outcome empty = call({"history", "list"});
    EXPECT_EQ(empty.status, 0) << empty.err;
    EXPECT_THAT(empty.out, HasSubstr("0 comparisons"));
    auto reporting = kCompare;
    reporting.insert(reporting.end(), {"--report", m_folder / "now.json"});
    const Outcome compared = call(reporting);
    ASSERT_EQ(compared.status, 0) << compared.err;
    EXPECT_EQ(compared.err, "");

    const nlohmann::json all = listed();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0]["input"], "gen:noise:16x12:u8");
    EXPECT_EQ(all[0]["family"], "convolution");
    EXPECT_EQ(all[0]["runs"], 2);
    EXPECT_EQ(all[0]["failed"], 0);
    EXPECT_EQ(all[0]["fastest"], nullptr) << "the CPU ranks nothing";
    EXPECT_THAT(call({"history", "list", "NOISE", "16"}).out, HasSubstr("1 comparison in"));
    EXPECT_THAT(call({"history", "list", "camera"}).out, HasSubstr("0 comparisons in"));

    const Outcome json = call({"history", "show", "1", "--json"});
    EXPECT_EQ(violation("report", json.out), "");
    EXPECT_EQ(json.out, readText(m_folder / "now.json")) << "the report as it was made";
    const Outcome text = call({"history", "show", "1"});
    EXPECT_THAT(text.out, HasSubstr("Comparison 1, recorded 20"));
    EXPECT_THAT(text.out, HasSubstr("r recorded earlier"));
    EXPECT_THAT(text.out, Not(HasSubstr("measured in this run"))) << "none was measured now";
    EXPECT_THAT(text.out, HasSubstr("tiled_input"));
}

TEST_F(History, IsSwitchedOffByOptionAndEnvironment) {
    auto without = kCompare;
    without.push_back("--no-history");
    EXPECT_EQ(call(without).status, 0);
    for (const char* off : {"off", "0"}) EXPECT_EQ(call(kCompare, {{"WARPLENS_HISTORY", off}}).status, 0);
    EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(History, DiffPinExportAndPrune) {
    for (int i = 0; i < 3; ++i) ASSERT_EQ(call(kCompare).status, 0);
    const Outcome diff = call({"history", "diff", "1", "2"});
    EXPECT_EQ(diff.status, 0) << diff.err;
    EXPECT_THAT(diff.out, HasSubstr("B against A"));
    EXPECT_THAT(diff.out, HasSubstr("r recorded earlier"));
    EXPECT_EQ(violation("diff", call({"history", "diff", "1", "3", "--json"}).out), "");

    EXPECT_EQ(call({"history", "pin", "1"}).status, 0);
    EXPECT_THAT(call({"history", "list"}).out, HasSubstr("pinned"));
    for (const char* name : {"one.json", "one.csv", "one.md", "one.html"}) {
        const Outcome outcome = call({"history", "export", "2", "-o", m_folder / name});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(readText(m_folder / name), HasSubstr("tiled_input")) << name;
    }
    EXPECT_EQ(call({"history", "export", "-o", m_folder / "all"}).status, 0);
    for (const char* id : {"1", "2", "3"})
        EXPECT_EQ(violation("report", readText(m_folder / (std::string("all/comparison-") + id + ".json"))), "");

    EXPECT_THAT(call({"history", "prune", "--keep", "0"}).out, HasSubstr("Removed 2 comparisons."));
    ASSERT_EQ(listed().size(), 1U);
    EXPECT_EQ(listed()[0]["pinned"], true);
    EXPECT_EQ(call({"history", "unpin", "1"}).status, 0);
    EXPECT_THAT(call({"history", "prune", "--before", "2999-01-01"}).out, HasSubstr("Removed 1 comparison."));
    EXPECT_THAT(listed(), IsEmpty());
    ASSERT_EQ(call(kCompare).status, 0);
    EXPECT_THAT(call({"history", "prune", "4"}).out, HasSubstr("Removed 1 comparison.")) << "ids are not used again";
}

TEST_F(History, RefusesInOneLine) {
    ASSERT_EQ(call(kCompare).status, 0);
    const std::vector<std::pair<std::vector<std::string>, int>> calls{
        {{"history"}, 2},
        {{"history", "lost"}, 2},
        {{"history", "show"}, 2},
        {{"history", "show", "0"}, 2},
        {{"history", "show", "7"}, 2},
        {{"history", "show", "1", "2"}, 2},
        {{"history", "diff", "1"}, 2},
        {{"history", "diff", "1", "7"}, 2},
        {{"history", "pin", "7"}, 2},
        {{"history", "unpin"}, 2},
        {{"history", "list", "-n", "0"}, 2},
        {{"history", "export", "1"}, 2},
        {{"history", "export", "1", "-o", "one.txt"}, 2},
        {{"history", "export", "7", "-o", "/tmp/seven.json"}, 2},
        {{"history", "export", "1", "-o", "/proc/nowhere/one.json"}, 3},
        {{"history", "export", "1", "-o", file().string() + ".json/x.json"}, 3},
        {{"history", "prune"}, 2},
        {{"history", "prune", "--before", "yesterday"}, 2},
        {{"history", "prune", "--before", "2026-02-30"}, 2},
        {{"history", "prune", "--keep", "-1"}, 2}};
    for (const auto& [words, status] : calls) {
        const Outcome outcome = call(words);
        EXPECT_EQ(outcome.status, status) << words.back() << ": " << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << words.back() << ": " << outcome.err;
    }
    EXPECT_EQ(listed().size(), 1U);
    const Outcome homeless = call({"history", "list"}, {{"XDG_DATA_HOME", "relative"}, {"HOME", ""}});
    EXPECT_EQ(homeless.status, 2);
    EXPECT_TRUE(isOneLine(homeless.err)) << homeless.err;
}

TEST_F(History, WhatGoesWrongWithItIsOneLineAndCostsTheComparisonNothing) {
    const std::string table = cli(kCompare).out;
    for (const char* place : {"/proc/nowhere", "/dev/null", "relative"}) {
        const Outcome outcome = call(kCompare, {{"XDG_DATA_HOME", place}, {"HOME", ""}});
        EXPECT_EQ(outcome.status, 0) << place;
        EXPECT_TRUE(isOneLine(outcome.err)) << place << ": " << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("not kept")) << place;
        EXPECT_THAT(outcome.out, HasSubstr("tiled_input")) << place;
    }
    // A damaged file is set aside, and this comparison is kept in a new one.
    std::filesystem::create_directories(file().parent_path());
    writeText(file(), std::string(5000, 'x'));
    const Outcome outcome = call(kCompare);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("set aside as " + file().string() + ".damaged-"));
    EXPECT_EQ(listed().size(), 1U);
}

TEST_F(History, SaysNothingOfTimesOfTheCpu) {
    auto reporting = kCompare;
    reporting.insert(reporting.end(), {"--report", m_folder / "now.json"});
    ASSERT_EQ(call(reporting).status, 0);
    // The same a week ago, a thousand times as fast, and timed often enough to say so.
    gpu::Report then = gpu::loadReport(m_folder / "now.json");
    then.environment.date = "2026-11-16T08:00:00Z";
    for (gpu::ReportRun& run : then.runs) {
        ASSERT_TRUE(run.record.time);
        const double ms = run.record.time->medianMs / 1000;
        run.record.time = gpu::Timing{run.record.time->clock, ms, ms, ms, ms, ms, ms, 20, false};
    }
    gpu::history::Store(file()).add(then);
    const Outcome outcome = call(kCompare);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("Slower than"))) << "they rank nothing";
    auto json = kCompare;
    json.push_back("--json");
    EXPECT_EQ(violation("report", call(json).out), "") << "no line may spoil JSON";
}

TEST_F(History, ABatchIsKeptPictureByPicture) {
    ASSERT_EQ(call({"compare", "gen:noise:16x12:u8", "gen:gradient:16x12:u8", "convolution", "--device", "cpu",
                    "--variants", "naive"})
                  .status,
              0);
    const nlohmann::json all = listed();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0]["input"], "gen:gradient:16x12:u8");
    EXPECT_NE(all[0]["input_hash"], all[1]["input_hash"]);
    EXPECT_EQ(all[0]["parameters_hash"], all[1]["parameters_hash"]);
}

}  // namespace
}  // namespace warplens::test
