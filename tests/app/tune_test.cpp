// SPDX-License-Identifier: Apache-2.0
// auto, and what refines it.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {

using testing::HasSubstr;

namespace {

// What is said of the device means a kernel; else a CPU would take a library.
const std::vector<std::string> kRun{"run", "gen:noise:64x48:f32", "convolution", "--device", "cpu", "--radius",
                                    "1",   "--memory-limit",      "1GB"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace

TEST(Tune, whatItMeasuresIsWhatAutoTakesAndABrokenCacheIsTold) {
    const TemporaryFolder folder;
    const std::map<std::string, std::string> home{{"XDG_CACHE_HOME", folder.path().string()}};
    const Outcome before = cli(kRun, home);
    EXPECT_EQ(before.status, 0) << before.err;
    EXPECT_THAT(before.out, HasSubstr("; auto: the table shipped for CPU (SIMT), measured "));

    const Outcome tuned = cli({"tune", "gen:noise:64x48:f32", "convolution", "--device", "cpu", "--radius", "1",
                               "--budget", "0.001", "--json"},
                              home);
    ASSERT_EQ(tuned.status, 0) << tuned.err;
    EXPECT_EQ(violation("tuning", tuned.out), "");
    const auto best = nlohmann::json::parse(tuned.out)["entries"][0]["rows"][0]["variant"].get<std::string>();
    const Outcome after = cli(with(kRun, {"--variant", "auto", "--report", folder / "r.json"}), home);
    EXPECT_THAT(after.out, HasSubstr(best + " on cpu"));
    EXPECT_THAT(after.out, HasSubstr("; auto: measured on this machine by tune, "));
    const auto report = nlohmann::json::parse(readText(folder / "r.json"));
    EXPECT_EQ(violation("report", report.dump()), "");
    EXPECT_EQ(report["runs"][0]["choice"]["variant"], best);
    EXPECT_EQ(report["runs"][0]["choice"]["source"], "cache");

    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "warplens" / "tuning"))
        writeText(file.path(), "{");
    const Outcome broken = cli(kRun, home);
    EXPECT_EQ(broken.status, 0);
    EXPECT_TRUE(isOneLine(broken.err)) << broken.err;
    EXPECT_THAT(broken.err, HasSubstr("warning"));
    EXPECT_THAT(broken.out, HasSubstr("the table shipped for CPU (SIMT)"));
    EXPECT_THAT(broken.out, HasSubstr("the cache is not used"));
}

TEST(Tune, autoIsARowOfCompareBesideOthers) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"compare", "gen:noise:64x48:f32", "convolution", "--device", "cpu", "--variants", "naive,auto", "--json"},
            {{"XDG_CACHE_HOME", folder.path().string()}});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto runs = nlohmann::json::parse(outcome.out)["runs"];
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_TRUE(runs[0]["choice"].is_null());
    EXPECT_EQ(runs[1]["choice"]["variant"], runs[1]["variant"]);
}

TEST(Tune, aBenchmarkBecomesATable) {
    const TemporaryFolder folder;
    const std::map<std::string, std::string> home{{"XDG_CACHE_HOME", folder.path().string()}};
    ASSERT_EQ(cli({"bench", "--device", "cpu", "--case", "histogram-u8-256-*", "--budget", "0.001", "--report",
                   folder / "b.json"},
                  home)
                  .status,
              0);
    const auto bench = nlohmann::json::parse(readText(folder / "b.json"));
    EXPECT_TRUE(bench["cases"][0]["auto"].is_string());
    ASSERT_EQ(cli({"tune", "--from", folder / "b.json", "-o", folder / "t.json"}, home).status, 0);
    EXPECT_EQ(violation("tuning", readText(folder / "t.json")), "");
    EXPECT_EQ(nlohmann::json::parse(readText(folder / "t.json"))["entries"].size(), 1U)
        << "four inputs of the same traits";
}

}  // namespace warplens::test
