// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace warplens::test {

namespace {

/// Signals that ask a program to end.
class Interrupt : public testing::TestWithParam<int> {
protected:
    /// Sends the signal in the middle of work that takes minutes.
    static Outcome interrupt(Program& program) {
        EXPECT_TRUE(program.waitForWork(std::chrono::milliseconds(700)));
        program.signal(GetParam());
        return program.wait(std::chrono::seconds(60));
    }
};

}  // namespace

INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, testing::Values(SIGINT, SIGTERM, SIGHUP), [](const auto& test) {
    return std::string(test.param == SIGINT ? "int" : test.param == SIGTERM ? "term" : "hup");
});

TEST_P(Interrupt, writesTheReportSoFarAndEndsWith130) {
    const TemporaryFolder folder;
    // Minutes of work on the CPU device.
    Program program(cliCommand({"compare", "gen:noise:2048x2048:f32", "convolution", "--device", "cpu", "--filter",
                                "gaussian", "--radius", "31", "--report", folder / "r.json"}));
    const Outcome outcome = interrupt(program);
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
    const std::string report = readText(folder / "r.json");
    EXPECT_EQ(violation("report", report), "");
    EXPECT_EQ(nlohmann::json::parse(report)["interrupted"], true);
}

TEST_P(Interrupt, writesTheBenchSoFar) {
    const TemporaryFolder folder;
    // The third case takes minutes.
    Program program(cliCommand({"bench", "--device", "cpu", "--scale", "2", "--budget", "0.001", "--case",
                                "stencil-jacobi-256,convolution-rgb-1080p-r2,convolution-f32-8192-r31", "--report",
                                folder / "b.json"}));
    const Outcome outcome = interrupt(program);
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    const std::string report = readText(folder / "b.json");
    EXPECT_EQ(violation("bench", report), "");
    EXPECT_EQ(nlohmann::json::parse(report)["interrupted"], true);
}

TEST_P(Interrupt, endsABatch) {
    Program program(cliCommand({"run", "gen:noise:2048x2048:f32", "gen:noise:2049x2048:f32", "convolution", "--device",
                                "cpu", "--variant", "naive", "--filter", "gaussian", "--radius", "31"}));
    const Outcome outcome = interrupt(program);
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
}

TEST_P(Interrupt, aSweepKeepsTheCellsThatWereMeasured) {
    const TemporaryFolder folder;
    Program program(cliCommand({"sweep", "convolution", "--device", "cpu", "--variants", "naive", "--radii", "1,31",
                                "--sizes", "64,4096", "--report", folder / "s.sweep.json"}));
    const auto cells = [&] {
        const auto written = nlohmann::json::parse(readText(folder / "s.sweep.json"), nullptr, false);
        return written.is_discarded() ? 0 : written["cells"].size();
    };
    while (!std::filesystem::exists(folder / "s.sweep.json") || cells() < 2) {
        ASSERT_TRUE(program.waitForWork({})) << "ended early";
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const Outcome outcome = interrupt(program);
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

// timeout(1) sends its signal to the program and to its group, which the program is in as well.
TEST_P(Interrupt, sentTwiceAtOnceIsOneRequest) {
    const TemporaryFolder folder;
    Program program(cliCommand({"compare", "gen:noise:2048x2048:f32", "convolution", "--device", "cpu", "--filter",
                                "gaussian", "--radius", "31", "--report", folder / "r.json"}));
    EXPECT_TRUE(program.waitForWork(std::chrono::milliseconds(700)));
    program.signal(GetParam());
    program.signal(GetParam());
    const Outcome outcome = program.wait(std::chrono::seconds(60));
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(readText(folder / "r.json"))["interrupted"], true);
}

TEST(IgnoredSignals, stayIgnored) {
    const TemporaryFolder folder;
    Program program({"/bin/sh", "-c",
                     "trap '' INT TERM HUP; exec " WARPLENS_CLI " run gen:noise:512x512:f32 convolution --device cpu "
                     "--radius 9 --variant naive"});
    EXPECT_TRUE(program.waitForWork(std::chrono::milliseconds(100)));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) program.signal(signal);
    EXPECT_EQ(program.wait().status, 0);
}

}  // namespace warplens::test
