// SPDX-License-Identifier: Apache-2.0
// Running sums from the command line: what scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Scan, WritesSumsAsAPictureOfU32) {
    const TemporaryFolder folder;
    for (const char* task : {"sums", "integral"}) {
        const auto outcome = cli({"run", "gen:noise:20x10:u8", "scan", "--task", task, "--device", "cpu", "-o",
                                  folder / "s.npy", "--report", folder / "s.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("report", readText(folder / "s.json")), "");
        const auto told = nlohmann::json::parse(cli({"info", folder / "s.npy", "--json"}).out);
        EXPECT_EQ(told["width"], 20);
        EXPECT_EQ(told["type"], "u32");
    }
}

TEST(Scan, WritesTheListOfWhatItKept) {
    const TemporaryFolder folder;
    const auto outcome = cli({"run", "gen:constant:3x2:u8", "scan", "--task", "compact", "--level", "1", "--device",
                              "cpu", "-o", folder / "k.csv", "--report", folder / "k.json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(readText(folder / "k.csv"), testing::StartsWith("x,y,z,channel,value"));
    const std::string report = readText(folder / "k.json");
    EXPECT_EQ(violation("report", report), "");
    const auto table = nlohmann::json::parse(report)["runs"][0]["tables"][0];
    EXPECT_EQ(table["id"], "kept");
    EXPECT_EQ(table["rows"].size(), 6U);
}

TEST(Scan, RefusesWhatItCannotDoInOneLine) {
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"gen:noise:9x9:f32", "scan", "--task", "equalise"}, "8- or 16-bit"},
             {{"gen:noise:9x9:u8", "scan", "--task", "box", "--radius", "1024"}, "radius"},
             {{"gen:noise:9x9:u8", "scan", "--task", "clahe", "--variant", "shuffle"}, "global_bins"}}) {
        std::vector<std::string> all{"run"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(all);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
