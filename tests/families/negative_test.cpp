// SPDX-License-Identifier: Apache-2.0
// A family of one filter: what it does not say itself comes from the frame.
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

Outcome negative(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), WARPLENS_TOY_CLI);
    return runProgram(arguments, {{"XDG_CACHE_HOME", "/proc/nonexistent"}});
}

TEST(Negative, IsVerifiedForEveryTypeAndChannel) {
    const TemporaryFolder folder;
    for (const char* picture : {"gen:noise:50x40:u8", "gen:noise:33x9x5:u16", "gen:noise:7x70:f32:c=3"}) {
        const auto outcome = negative({"run", picture, "negative", "--device", "cpu", "--report", folder / "r.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto run = nlohmann::json::parse(readText(folder / "r.json"))["runs"][0];
        EXPECT_EQ(run["verification"]["mismatches"], 0) << picture;
        EXPECT_EQ(run["verification"]["checked_share"], 1) << picture;
    }
}

TEST(Negative, OfANegativeIsThePicture) {
    const TemporaryFolder folder;
    ASSERT_EQ(negative({"run", "gen:noise:20x10:u8", "negative", "--device", "cpu", "-o", folder / "n.npy"}).status, 0);
    ASSERT_EQ(negative({"run", folder / "n.npy", "negative", "--device", "cpu", "-o", folder / "p.npy"}).status, 0);
    const std::string once = readText(folder / "n.npy"), twice = readText(folder / "p.npy");
    ASSERT_EQ(once.size(), twice.size());
    for (std::size_t i = once.size() - 200; i < once.size(); ++i)
        EXPECT_EQ(static_cast<unsigned char>(once[i]) + static_cast<unsigned char>(twice[i]), 255);
}

TEST(Negative, RefusesABlockThatNoDeviceHas) {
    const auto outcome = negative({"run", "gen:noise:9x9:u8", "negative", "--device", "cpu", "--variant", "plain",
                                   "--set", "block_width=1024", "--set", "block_height=1024"});
    EXPECT_NE(outcome.status, 0);
    EXPECT_THAT(outcome.err, testing::HasSubstr("threads per block"));
}

}  // namespace
}  // namespace warplens::test
