// SPDX-License-Identifier: Apache-2.0
// Rank filters from the command line: what scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Rank, WritesAPictureOfTheSameType) {
    const TemporaryFolder folder;
    for (const char* percentile : {"0", "50", "100"}) {
        const auto outcome = cli({"run", "gen:noise:20x10:u16", "rank", "--radius", "2", "--percentile", percentile,
                                  "--device", "cpu", "-o", folder / "r.npy", "--report", folder / "r.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("report", readText(folder / "r.json")), "");
        EXPECT_EQ(nlohmann::json::parse(cli({"info", folder / "r.npy", "--json"}).out)["type"], "u16");
    }
}

TEST(Rank, RefusesWhatItCannotDoInOneLine) {
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"gen:noise:9x9x9:f32", "rank", "--dimensions", "3", "--radius", "3"}, "radius of 1 or 2"},
             {{"gen:noise:9x9:u8", "rank", "--radius", "38"}, "radius"},
             {{"gen:noise:9x9:f32", "rank", "--variant", "packed_pairs"}, "hierarchical"},
             {{"gen:noise:9x9:u8", "rank", "--variant", "network", "--percentile", "20"}, "selection"}}) {
        std::vector<std::string> all{"run"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(all);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
