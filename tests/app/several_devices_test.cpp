// SPDX-License-Identifier: Apache-2.0
// One volume that several devices work on at the same time: the file of one device, and a record of who did what.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace warplens::test {

using testing::HasSubstr;

namespace {

Outcome runOver(const std::string& devices, std::vector<std::string> what, std::vector<std::string> more) {
    what.insert(what.begin(), "run");
    what.insert(what.end(), {"--device", devices});
    what.insert(what.end(), more.begin(), more.end());
    return cli(what);
}

}  // namespace

TEST(SeveralDevices, workOnOneVolumeToTheSameFileAndSayWhoDidWhat) {
    const std::vector<std::string> convolution{
        "gen:noise:24x20x11:u8", "convolution", "--dimensions", "3", "--radius", "2", "--border", "wrap"};
    const std::vector<std::string> stencil{"gen:noise:16x12x13:f32", "stencil", "--iterations", "6"};
    const std::vector<std::string> recipe{
        "gen:noise:16x12x7:f32", "--recipe",
        R"({"schema": 1, "steps": [{"family": "convolution", "parameters": {"dimensions": "3"}},)"
        R"( {"family": "stencil"}]})"};
    for (const auto& what : {convolution, stencil, recipe}) {
        const TemporaryFolder folder;
        ASSERT_EQ(runOver("cpu", what, {"-o", folder / "one.npy"}).status, 0);
        for (const std::string devices : {"cpu,cpu", "cpu,cpu,cpu"}) {
            const Outcome outcome = runOver(devices, what, {"-o", folder / "several.npy"});
            ASSERT_EQ(outcome.status, 0) << outcome.err;
            EXPECT_EQ(readText(folder / "several.npy"), readText(folder / "one.npy")) << devices;
            EXPECT_THAT(outcome.out, HasSubstr("devices at once, each "));
            EXPECT_THAT(outcome.out, HasSubstr(": cpu slices 0 to "));
        }
    }
    const Outcome outcome = runOver("cpu,cpu,cpu", convolution, {"--json"});
    EXPECT_EQ(violation("report", outcome.out), "");
    const auto report = nlohmann::json::parse(outcome.out);
    EXPECT_THAT(report["plan"].get<std::string>(), testing::StartsWith("3 slabs of 4 slices, halo 2, "));
    EXPECT_THAT(report["plan"].get<std::string>(), HasSubstr("cpu slices 8 to 10"));
    EXPECT_EQ(report["runs"][0]["runs_on"], "cpu, cpu, cpu");
}

TEST(SeveralDevices, exchangeHalosAsAsked) {
    const std::vector<std::string> stencil{"gen:noise:16x12x13:f32", "stencil", "--iterations", "6"};
    const TemporaryFolder folder;
    ASSERT_EQ(runOver("cpu", stencil, {"-o", folder / "one.npy"}).status, 0);
    const std::vector<std::pair<std::string, std::string>> ways{{"host", "exchanges of halos through the host"},
                                                                {"peer", "exchanges of halos by peer copies (as asked"},
                                                                {"overlapped", "behind the interior, faces first, "},
                                                                {"graph", "faces first, 4 of them in launch graphs, "}};
    for (const auto& [way, words] : ways) {
        const Outcome outcome = runOver("cpu,cpu,cpu", stencil, {"--exchange", way, "-o", folder / "several.npy"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(readText(folder / "several.npy"), readText(folder / "one.npy")) << way;
        EXPECT_THAT(outcome.out, HasSubstr(words)) << way;
    }
}

TEST(SeveralDevices, marchThroughFewerSlicesUnlessToldOtherwise) {
    const std::vector<std::string> volume{"gen:noise:16x12x13:f32", "stencil", "--variant", "marching"};
    const std::vector<std::string> picture{"gen:noise:16x12:f32", "stencil", "--variant", "marching"};
    const auto slices = [](const std::string& devices, const std::vector<std::string>& what,
                           std::vector<std::string> more = {}) {
        more.emplace_back("--json");
        const Outcome outcome = runOver(devices, what, more);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        const auto run = nlohmann::json::parse(outcome.out)["runs"][0];
        EXPECT_EQ(run["verification"]["mismatches"], 0) << run;
        return run["tunables"]["planes_per_block"].get<int>();
    };
    EXPECT_EQ(slices("cpu", volume), 8);
    EXPECT_EQ(slices("cpu,cpu", volume), 4);
    EXPECT_EQ(slices("cpu,cpu", volume, {"--set", "planes_per_block=8"}), 8);
    EXPECT_EQ(slices("cpu,cpu", picture), 8) << "has none";
}

TEST(SeveralDevices, shareAPictureInEveryFamilyThatCanBeCut) {
    const std::vector<std::vector<std::string>> all{{"gen:noise:40x31:u8", "convolution", "--radius", "2"},
                                                    {"gen:noise:40x31:u16", "histogram"},
                                                    {"gen:noise:40x31x5:u8", "histogram"},
                                                    {"gen:noise:40x31:u8", "reduction"},
                                                    {"gen:noise:40x31:u8", "rank", "--radius", "1"},
                                                    {"gen:noise:40x31:f32", "layout", "--task", "transpose"}};
    for (const auto& what : all) {
        // A kernel, as on two: by itself a CPU would take a library.
        const auto one = nlohmann::json::parse(runOver("cpu", what, {"--json", "--memory-limit", "1GB"}).out);
        const Outcome outcome = runOver("cpu,cpu", what, {"--json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("report", outcome.out), "");
        const auto report = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(report["runs"][0]["status"], "ok") << what[1];
        EXPECT_EQ(report["runs"][0]["verification"], one["runs"][0]["verification"]) << what[1];
        EXPECT_EQ(report["runs"][0].value("tables", nlohmann::json()),
                  one["runs"][0].value("tables", nlohmann::json()));
        EXPECT_EQ(report["runs"][0]["runs_on"], "cpu, cpu");
        EXPECT_EQ(report["runs"][0]["slabs"]["devices"].size(), 2U) << report["runs"][0]["slabs"];
    }
}

TEST(SeveralDevices, areComparedOverOneVolumeAfterTheOther) {
    const TemporaryFolder folder;
    const std::vector<std::string> what{
        "compare", "gen:noise:12x10x9:f32", "gen:noise:12x10x6:f32", "stencil", "--variants", "naive,tiled,opencv",
        "-o"};
    for (const std::string devices : {"cpu", "cpu,cpu"}) {
        auto arguments = what;
        arguments.insert(arguments.end(), {folder / devices, "--json", "--device", devices});
        const Outcome outcome = cli(arguments);
        std::istringstream lines(outcome.out);
        std::size_t reports = 0;
        for (std::string line; std::getline(lines, line); ++reports) {
            EXPECT_EQ(violation("report", line), "");
            const auto runs = nlohmann::json::parse(line)["runs"];
            for (const auto& run : runs) {
                if (run["kind"] == "library") continue;  // on the host, whose refusal has a test of its own
                ASSERT_EQ(run["status"], "ok") << outcome.out << outcome.err;
                if (devices == "cpu") {
                    EXPECT_TRUE(run["slabs"].is_null());
                    continue;
                }
                EXPECT_EQ(run["slabs"]["devices"], (nlohmann::json{"cpu", "cpu"}));
                EXPECT_EQ(run["slabs"]["held"].size(), 2U) << run["slabs"];
            }
        }
        EXPECT_EQ(reports, 2U) << outcome.err;
    }
    for (const auto& file : std::filesystem::directory_iterator(folder / "cpu,cpu"))
        EXPECT_EQ(readText(file.path()), readText(std::filesystem::path(folder / "cpu") / file.path().filename()));
}

TEST(SeveralDevices, haveTheLimitOfMemoryEach) {
    const std::vector<std::string> what{"gen:noise:32x24x20:f32", "convolution", "--dimensions", "3", "--radius", "1"};
    const Outcome cut = runOver("cpu,cpu", what, {"--memory-limit", "50kB", "--variant", "naive"});
    ASSERT_EQ(cut.status, 0) << cut.err;
    EXPECT_THAT(cut.out, HasSubstr("20 slabs of 1 slice, halo 1, 43.1 kB on the device, overlapped"));
    const Outcome none = runOver("cpu,cpu", what, {"--memory-limit", "1kB"});
    EXPECT_EQ(none.status, 4);
    EXPECT_TRUE(isOneLine(none.err)) << none.err;
}

}  // namespace warplens::test
