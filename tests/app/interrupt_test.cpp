// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace warplens::test {

TEST(Interrupt, writesTheReportSoFarAndEndsWith130) {
    const TemporaryFolder folder;
    // Minutes of work on the CPU device, so the signal always comes in the middle of it.
    Program program(cliCommand({"compare", "gen:noise:2048x2048:f32", "convolution", "--device", "cpu", "--filter",
                                "gaussian", "--radius", "31", "--report", folder / "r.json"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
    const std::string report = readText(folder / "r.json");
    EXPECT_EQ(violation("report", report), "");
    EXPECT_EQ(nlohmann::json::parse(report)["interrupted"], true);
}

TEST(Interrupt, writesTheBenchSoFar) {
    const TemporaryFolder folder;
    // The third case takes minutes.
    Program program(cliCommand({"bench", "--device", "cpu", "--scale", "2", "--budget", "0.001", "--case",
                                "stencil-jacobi-256,convolution-rgb-1080p-r2,convolution-f32-8192-r31", "--report",
                                folder / "b.json"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    const std::string report = readText(folder / "b.json");
    EXPECT_EQ(violation("bench", report), "");
    EXPECT_EQ(nlohmann::json::parse(report)["interrupted"], true);
}

TEST(Interrupt, endsABatch) {
    Program program(cliCommand({"run", "gen:noise:2048x2048:f32", "gen:noise:2049x2048:f32", "convolution", "--device",
                                "cpu", "--variant", "naive", "--filter", "gaussian", "--radius", "31"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
}

TEST(Interrupt, aSweepKeepsTheCellsThatWereMeasured) {
    const TemporaryFolder folder;
    Program program(cliCommand({"sweep", "convolution", "--device", "cpu", "--variants", "naive", "--radii", "1,31",
                                "--sizes", "64,4096", "--report", folder / "s.sweep.json"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted after"));
    const std::string written = readText(folder / "s.sweep.json");
    EXPECT_EQ(violation("sweep", written), "");
    const auto document = nlohmann::json::parse(written);
    EXPECT_EQ(document["interrupted"], true);
    EXPECT_GE(document["cells"].size(), 2U);
    EXPECT_LT(document["cells"].size(), 4U);
}

}  // namespace warplens::test
