// SPDX-License-Identifier: Apache-2.0
// Statistics, comparisons and projections from the command line: the columns that scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Reduction, WritesTheTableOfStatistics) {
    const TemporaryFolder folder;
    const auto outcome = cli({"run", "gen:constant:20x10:u8", "reduction", "--variant", "fixed_tree", "--device", "cpu",
                              "-o", folder / "s.csv", "--report", folder / "s.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::string csv = readText(folder / "s.csv");
    EXPECT_THAT(csv, testing::StartsWith("channel,count,nan,minimum,minimum_x,minimum_y,minimum_z,maximum,maximum_x,"
                                         "maximum_y,maximum_z,sum,mean,variance"));
    EXPECT_THAT(csv, testing::HasSubstr("\nvalue,200,0,"));
    const std::string report = readText(folder / "s.json");
    EXPECT_EQ(violation("report", report), "");
    const auto table = nlohmann::json::parse(report)["runs"][0]["tables"][0];
    EXPECT_EQ(table["id"], "statistics");
    EXPECT_EQ(table["rows"].size(), 1U);
}

TEST(Reduction, WritesTheTableOfAComparison) {
    const TemporaryFolder folder;
    const auto outcome =
        cli({"run", "gen:noise:20x10:f32:c=3", "reduction", "--measure", "comparison", "--with",
             "gen:noise:20x10:f32:c=3", "--variant", "fused", "--device", "cpu", "-o", folder / "c.csv"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::string csv = readText(folder / "c.csv");
    EXPECT_THAT(csv, testing::StartsWith("channel,dot,max_abs,mean_abs,rmse,psnr,mismatches"));
    EXPECT_THAT(csv, testing::HasSubstr("\nblue,"));
    EXPECT_THAT(csv, testing::HasSubstr(",0,0,0,inf,0"));
}

TEST(Reduction, WritesAProjectionAsAPicture) {
    const TemporaryFolder folder;
    const auto outcome = cli({"run", "gen:noise:20x10x5:u8", "reduction", "--along", "y", "--keep", "sum", "--variant",
                              "ray", "--device", "cpu", "-o", folder / "p.npy"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto info = cli({"info", folder / "p.npy", "--json"});
    ASSERT_EQ(info.status, 0) << info.err;
    const auto told = nlohmann::json::parse(info.out);
    EXPECT_EQ(told["width"], 20);
    EXPECT_EQ(told["height"], 5);
    EXPECT_EQ(told["type"], "u32");
}

TEST(Reduction, RefusesWhatItCannotMeasureInOneLine) {
    const std::string picture = "gen:noise:20x10:u8";
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--measure", "comparison"}, "with"},
             {{"--measure", "comparison", "--with", "gen:noise:20x11:u8"}, "20 x 11"},
             {{"--measure", "comparison", "--with", "gen:noise:20x10:u16"}, "u16"},
             {{"--measure", "comparison", "--with", picture, "--along", "x"}, "along"},
             {{"--keep", "sum"}, "keep"},
             {{"--along", "w"}, "along"},
             {{"--measure", "statistics", "--variant", "ray"}, "ray"},
             {{"--along", "x", "--variant", "fused"}, "projections"}}) {
        std::vector<std::string> line{"run", picture, "reduction", "--device", "cpu"};
        line.insert(line.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(line);
        EXPECT_EQ(outcome.status, 2) << arguments.back();
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
