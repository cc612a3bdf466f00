// SPDX-License-Identifier: Apache-2.0
// warplens-cli explain, through warplens-trace.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace warplens::test {

using testing::HasSubstr;

TEST(Explain, everyConvolutionOfA512PictureInFifteenSeconds) {
    const TemporaryFolder folder;
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = cli({"explain", "gen:noise:512x512:f32", "convolution", "--report", folder / "r.json"});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_LT(took.count(), 15.0);
    EXPECT_THAT(outcome.out, HasSubstr("naive"));
    EXPECT_THAT(outcome.out, HasSubstr("against constant:"));
    EXPECT_THAT(outcome.out, HasSubstr("counted by the trace (C)"));
    const std::string json = readText(folder / "r.json");
    EXPECT_EQ(violation("report", json), "");
    int counted = 0;
    const auto document = nlohmann::json::parse(json);
    for (const auto& run : document["runs"]) {
        const bool kernel = run["kind"] == "kernel" && run["status"] == "ok";
        EXPECT_EQ(run["counters"].is_null(), !kernel) << run["variant"];
        EXPECT_TRUE(run["time"].is_null()) << "counts are no times";
        if (!kernel) continue;
        ++counted;
        EXPECT_GT(run["counters"]["flops"], 0) << run["variant"];
        EXPECT_FALSE(run["counters"]["lines"].empty()) << run["variant"];
        EXPECT_TRUE(run["counters"]["findings"].empty()) << run["variant"];
    }
    EXPECT_GE(counted, 9);
}

TEST(Explain, readsItsOwnReport) {
    const TemporaryFolder folder;
    ASSERT_EQ(cli({"explain", "gen:noise:70x50:u8", "convolution", "--variants", "naive,tiled_output", "--report", folder / "r.json"}).status, 0);
    EXPECT_EQ(cli({"diff", folder / "r.json", folder / "r.json"}).status, 0);
}

TEST(Explain, takesTunablesAndFamilies) {
    for (const char* family : {"convolution", "stencil", "histogram"}) {
        const Outcome outcome = cli({"explain", "gen:noise:64x48:f32", family, "--variants", "naive", "--set", "block_width=64", "--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const auto run = nlohmann::json::parse(outcome.out)["runs"][0];
        EXPECT_EQ(run["tunables"]["block_width"], 64);
        EXPECT_EQ(run["counters"]["kernels"][0]["block"][0], 64);
        EXPECT_GT(run["counters"]["traced_share"], 0.0);
    }
}

TEST(Explain, saysWhatIsMissingOrWrong) {
    const std::vector<std::string> arguments{"explain", "gen:noise:40x30:u8", "convolution"};
    const Outcome missing = cli(arguments, {{"WARPLENS_TRACE", "/nonexistent/warplens-trace"}});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(isOneLine(missing.err)) << missing.err;
    EXPECT_THAT(missing.err, HasSubstr("warplens-trace"));
    const Outcome crashing = cli(arguments, {{"WARPLENS_TRACE", "/bin/false"}});
    EXPECT_EQ(crashing.status, 4);
    EXPECT_TRUE(isOneLine(crashing.err)) << crashing.err;
    const Outcome device = cli({"explain", "gen:noise:40x30:u8", "convolution", "--device", "cuda"});
    EXPECT_EQ(device.status, 2);
    EXPECT_TRUE(isOneLine(device.err)) << device.err;
}

TEST(Explain, stopsAtOnce) {
    Program program(cliCommand({"explain", "gen:noise:4096x4096:f32", "convolution", "--radius", "15", "--every-block"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    const auto asked = std::chrono::steady_clock::now();
    program.signal(SIGINT);
    const Outcome outcome = program.wait(std::chrono::seconds(20));
    const std::chrono::duration<double> late = std::chrono::steady_clock::now() - asked;
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_LT(late.count(), 2.0) << "250 ms on an idle machine";
}

}  // namespace warplens::test
