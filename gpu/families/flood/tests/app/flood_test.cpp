// SPDX-License-Identifier: Apache-2.0
// Floods from the command line: what scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Flood, WritesStepsAndLevels) {
    const TemporaryFolder folder;
    for (const char* variant : {"vertex", "hybrid", "persistent", "host_queue"}) {
        const auto outcome = cli({"run", "gen:constant:5x3:u8", "flood", "--seeds", "0,0", "--variant", variant,
                                  "--device", "cpu", "-o", folder / "levels.csv", "--report", folder / "r.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(readText(folder / "levels.csv"), "level,frontier\n0,1\n1,2\n2,3\n3,3\n4,3\n5,2\n6,1\n") << variant;
        EXPECT_EQ(violation("report", readText(folder / "r.json")), "");
    }
    const auto outcome = cli({"run", "gen:maze:9x9:u8", "flood", "--seeds", "0,0;8,8", "--tolerance", "0", "--device",
                              "cpu", "-o", folder / "steps.tif"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto info = cli({"info", folder / "steps.tif", "--json"});
    EXPECT_EQ(nlohmann::json::parse(info.out)["type"], "i32");
}

// Without seeds there is nothing to say of them.
TEST(Flood, SummariesLeaveOutWhatIsEmpty) {
    const auto outcome = cli({"compare", "gen:constant:5x3:u8", "flood", "--variants", "vertex", "--device", "cpu"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("seeds")));
}

TEST(Flood, AllNeighboursAreThoseOfThePictureOrVolume) {
    const TemporaryFolder folder;
    for (const auto& [shape, same] : {std::pair{"gen:maze:9x9:u8", "8"}, {"gen:maze:9x9x9:u8", "26"}}) {
        std::string steps[2];
        for (const std::string connectivity : {"all", same}) {
            const auto outcome = cli({"run", shape, "flood", "--seeds", "0,0", "--tolerance", "0", "--connectivity",
                                      connectivity, "--device", "cpu", "-o", folder / "steps.npy"});
            ASSERT_EQ(outcome.status, 0) << outcome.err;
            steps[connectivity == "all" ? 0 : 1] = readText(folder / "steps.npy");
        }
        EXPECT_TRUE(steps[0] == steps[1]) << shape;
    }
}

TEST(Flood, RefusesWhatItCannotDoInOneLine) {
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--seeds", "9,0"}, "'9,0' lies outside the picture: choose x from 0 to 8"},
             {{"--seeds", "here"}, "'here' is not a place"},
             {{"--seeds", ","}, "seeds: a place is empty: expected"},
             {{"--seeds", "1,2;"}, "seeds: a place is empty: expected"},
             {{"--tolerance", "-1"}, "tolerance"},
             {{"--connectivity", "5"}, "4, 8, 6"},
             {{"--seeds", "0,0;4,4", "--tolerance", "0", "--variant", "tiled"}, "several colours"}}) {
        std::vector<std::string> all{"run", "gen:noise:9x9:f32", "flood", "--device", "cpu"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(all);
        EXPECT_EQ(outcome.status, 2) << says;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
