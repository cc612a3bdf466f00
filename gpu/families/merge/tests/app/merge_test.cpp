// SPDX-License-Identifier: Apache-2.0
// Merges from the command line: what scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

// Running sums are u32, whose order is that of their values: nothing is lost on the way through a file.
TEST(Merge, SortsA32BitResultOfAnotherFamily) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"run", "gen:constant:9x5:u8", "scan", "--device", "cpu", "-o", folder / "sums.npy"}).status, 0);
    for (const char* task : {"merge", "sort"}) {
        const auto outcome = cli({"run", folder / "sums.npy", "merge", "--task", task, "--device", "cpu", "-o",
                                  folder / "sorted.npy", "--report", folder / "sorted.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(readText(folder / "sorted.npy"), readText(folder / "sums.npy")) << "sums of one grey level rise";
        EXPECT_EQ(violation("report", readText(folder / "sorted.json")), "");
    }
}

TEST(Merge, WritesQuantilesOfEveryTask) {
    const TemporaryFolder folder;
    for (const char* task : {"merge", "sort", "quantiles"}) {
        const auto outcome = cli({"run", "gen:noise:33x7:u8", "merge", "--task", task, "--device", "cpu", "-o",
                                  folder / "q.csv", "--table", "quantiles", "--report", folder / "q.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_THAT(readText(folder / "q.csv"), testing::StartsWith("channel,percent,value\n0,0,"));
        const auto run = nlohmann::json::parse(readText(folder / "q.json"))["runs"][0];
        EXPECT_EQ(run["tables"][0]["id"], "quantiles");
        EXPECT_EQ(run["tables"][0]["rows"].size(), 11U);
    }
}

TEST(Merge, WritesItsListUnderANameInCsv) {
    const TemporaryFolder folder;
    writeText(folder / "list.csv", "5,1\n3,2\n4,9\n");
    ASSERT_EQ(
        cli({"run", folder / "list.csv", "merge", "--task", "sort", "--device", "cpu", "-o", folder / "s.csv"}).status,
        0);
    EXPECT_EQ(readText(folder / "s.csv"), "1,2\n3,4\n5,9\n");
}

TEST(Merge, MergesTwoFilesAndTellsTheSearchForACoRank) {
    const TemporaryFolder folder;
    writeText(folder / "a.csv", "1,3,5,7\n");
    writeText(folder / "b.csv", "2,4,6,8,9,10\n");
    const auto merged = cli({"run", folder / "a.csv", "merge", "--with", folder / "b.csv", "--lists", "given",
                             "--variant", "co_rank", "--device", "cpu", "-o", folder / "m.csv"});
    ASSERT_EQ(merged.status, 0) << merged.err;
    EXPECT_EQ(readText(folder / "m.csv"), "1,2,3,4,5,6,7,8,9,10\n");
    EXPECT_THAT(merged.out + merged.err, testing::HasSubstr("lists of 4 and 6 values, as given"));
    const auto searched = cli({"run", folder / "a.csv", "merge", "--with", folder / "b.csv", "--rank", "5", "--variant",
                               "co_rank", "--device", "cpu", "-o", folder / "r.csv", "--table", "co_rank"});
    ASSERT_EQ(searched.status, 0) << searched.err;
    EXPECT_THAT(searched.out + searched.err,
                testing::HasSubstr("of the first 5 outputs 3 come from the first list, found in 2 steps"));
    EXPECT_EQ(readText(folder / "r.csv"),
              "step,low,high,i,j,a_i,b_j,next\n"
              "1,0,4,2,2,5,6,a[i] <= b[j]: more than i\n"
              "2,3,4,3,1,7,4,b[j] < a[i]: at most i\n"
              "3,3,3,3,2,7,6,\"found: i values of a, j of b\"\n");
    const auto refused = cli({"run", folder / "m.csv", "merge", "--first", "11", "--device", "cpu"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, testing::HasSubstr("first: 11 of 10 values"));
}

TEST(Merge, RefusesWhatItCannotDoInOneLine) {
    const TemporaryFolder folder;
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--task", "shuffle"}, "merge, sort"},
             {{"--variant", "tiled", "--set", "block_width=1024", "--set", "outputs_per_thread=32"}, "shared memory"},
             {{"--task", "quantiles", "-o", folder / "q.tif"}, ".csv or .npy"}}) {
        std::vector<std::string> all{"run", "gen:noise:9x9:f32", "merge", "--device", "cpu"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(all);
        EXPECT_NE(outcome.status, 0);
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
