// SPDX-License-Identifier: Apache-2.0
// --kernel of run and compare: statuses, marks, errors.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

const std::string kCopy =
    "// A copy.\n// tunable block_width = 16 (8, 16)\n"
    "__global__ void copy(const pixel_t* in, result_t* out, int width, int height) {\n"
    "    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "    if (x < width && y < height) out[y * width + x] = in[y * width + x];\n}\n";

class CommandLineKernel : public ::testing::Test {
protected:
    CommandLineKernel() {
        writeText(m_folder / "mine.cuh", kCopy);
        std::string wrong = kCopy;
        writeText(m_folder / "off.cuh", wrong.replace(wrong.find("in[y"), 4, "1 + in[y"));
        std::string broken = kCopy;
        writeText(m_folder / "broken.cuh", broken.replace(broken.find("in[y"), 4, "nobody[y"));
    }
    Outcome call(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin() + 1,
                         {"gen:noise:40x30:f32", "convolution", "--filter", "identity", "--device", "cpu"});
        const char* cache = std::getenv("XDG_CACHE_HOME");
        return cli(std::move(arguments), {{"XDG_CACHE_HOME", cache == nullptr ? "" : cache}});
    }
    std::string file(const std::string& name) const { return m_folder / name; }

    TemporaryFolder m_folder;
};

TEST_F(CommandLineKernel, StandsBesideTheVariantsMarkedYours) {
    const Outcome told =
        call({"compare", "--variants", "naive", "--kernel", file("mine.cuh"), "--kernel", file("off.cuh"), "--set",
              "block_width=8", "--json", "--report", file("r.csv"), "--report", file("r.html")});
    EXPECT_EQ(told.status, 1) << told.err;
    EXPECT_NE(told.err.find("off: wrong: 1200 values are wrong, the first at x 0 y 0"), std::string::npos) << told.err;
    const auto report = nlohmann::json::parse(told.out);
    EXPECT_EQ(violation("report", told.out), "");
    const auto& runs = report.at("runs");
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_FALSE(runs[0].contains("yours"));
    EXPECT_FALSE(runs[0].contains("source"));
    EXPECT_EQ(runs[1].at("source"), kCopy);
    EXPECT_EQ(runs[1].at("variant"), "mine");
    EXPECT_EQ(runs[1].at("status"), "ok");
    EXPECT_EQ(runs[1].at("yours"), true);
    EXPECT_EQ(runs[1].at("tunables").at("block_width"), 8);
    EXPECT_FALSE(runs[1].at("time").is_null());
    EXPECT_TRUE(runs[2].at("time").is_null());
    const std::string csv = readText(file("r.csv"));
    EXPECT_NE(csv.find(",yours\r\n"), std::string::npos) << csv;
    const std::string html = readText(file("r.html"));
    EXPECT_NE(html.find("<summary>Source of off (yours)</summary><pre>// A copy."), std::string::npos) << html;
    EXPECT_NE(html.find("1 + in[y * width + x]"), std::string::npos);

    // A report of ours read back has the text still.
    writeText(m_folder / "r.json", told.out);
    const Outcome again = cli({"diff", file("r.json"), file("r.json"), "--json"});
    EXPECT_EQ(again.status, 0) << again.err;
}

TEST_F(CommandLineKernel, StandsThereAgainWithTunablesOfItsOwn) {
    const Outcome told = call({"compare", "--variants", "naive", "--kernel", file("mine.cuh"), "--kernel",
                               file("mine.cuh@block_width=8"), "--json"});
    EXPECT_EQ(told.status, 0) << told.err;
    const auto runs = nlohmann::json::parse(told.out).at("runs");
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[1].at("id"), "mine");
    EXPECT_EQ(runs[1].at("tunables").at("block_width"), 16);
    EXPECT_EQ(runs[2].at("id"), "mine@block_width=8");
    EXPECT_EQ(runs[2].at("tunables").at("block_width"), 8);
    for (const char* second : {"mine.cuh", "mine.cuh@block_width=9", "mine.cuh@none=1"}) {
        const Outcome refused = call({"compare", "--kernel", file("mine.cuh"), "--kernel", file(second)});
        EXPECT_EQ(refused.status, 2) << second;
        EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
    }
}

TEST_F(CommandLineKernel, IsComparedWithoutTheLadder) {
    const Outcome told = call({"compare", "--variants", "none", "--kernel", file("mine.cuh"), "--json"});
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_EQ(nlohmann::json::parse(told.out).at("runs").size(), 1U);
    EXPECT_EQ(call({"compare", "--variants", "none"}).status, 2);
}

TEST_F(CommandLineKernel, IsSweptBesideTheLadder) {
    const std::vector<std::string> all{"sweep",    "convolution", "--device",         "cpu",     "--filter",
                                       "identity", "--over",      "block_width=8,16", "--sizes", "32"};
    const auto sweep = [&](std::vector<std::string> more) {
        more.insert(more.begin(), all.begin(), all.end());
        const char* cache = std::getenv("XDG_CACHE_HOME");
        return cli(std::move(more), {{"XDG_CACHE_HOME", cache == nullptr ? "" : cache}});
    };
    const Outcome told =
        sweep({"--variants", "naive", "--kernel", file("mine.cuh"), "--kernel", file("off.cuh"), "--json"});
    EXPECT_EQ(told.status, 1) << told.err;
    EXPECT_EQ(violation("sweep", told.out), "");
    const auto cells = nlohmann::json::parse(told.out).at("cells");
    ASSERT_EQ(cells.size(), 2U);
    for (const auto& cell : cells) {
        const auto& rows = cell.at("runs");
        ASSERT_EQ(rows.size(), 3U);
        EXPECT_EQ(rows[1].at("id"), "mine");
        EXPECT_EQ(rows[1].at("status"), "ok");
        EXPECT_EQ(rows[2].at("status"), "wrong");
        EXPECT_TRUE(rows[2].at("time").is_null());
    }
    EXPECT_EQ(sweep({"--kernel", file("broken.cuh")}).status, 2);
    const Outcome varied = sweep({"--kernel", file("mine.cuh@block_width=8")});
    EXPECT_EQ(varied.status, 2);
    EXPECT_NE(varied.err.find("is varied: leave it out there"), std::string::npos) << varied.err;
}

TEST_F(CommandLineKernel, IsCountedBesideTheVariants) {
    const Outcome told = call({"explain", "--variants", "naive", "--kernel", file("mine.cuh"), "--json"});
    if (told.err.find("warplens-trace") != std::string::npos) GTEST_SKIP() << told.err;
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_EQ(violation("report", told.out), "");
    const auto runs = nlohmann::json::parse(told.out).at("runs");
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[1].at("yours"), true);
    const auto& counters = runs[1].at("counters");
    EXPECT_EQ(counters.at("global_store").at("sectors"), runs[0].at("counters").at("global_store").at("sectors"));
    EXPECT_EQ(counters.at("lines")[0].at("file"), "mine.cuh");

    const Outcome alone = call({"explain", "--variants", "none", "--kernel", file("mine.cuh")});
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_NE(alone.out.find("mine (yours)\n    thread blocks"), std::string::npos) << alone.out;
    EXPECT_EQ(alone.out.find("naive"), std::string::npos) << alone.out;
    EXPECT_EQ(call({"explain", "--variants", "none"}).status, 2);
    EXPECT_EQ(call({"explain", "--variants", "none", "--kernel", file("broken.cuh")}).status, 2);
}

TEST_F(CommandLineKernel, RunsAlone) {
    const Outcome told = call({"run", "--kernel", file("mine.cuh"), "-o", file("out.npy")});
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_NE(told.out.find("mine on cpu"), std::string::npos) << told.out;
    EXPECT_EQ(call({"run", "--kernel", file("off.cuh")}).status, 1);
    EXPECT_EQ(call({"run", "--kernel", file("mine.cuh"), "--variant", "naive"}).status, 2);
}

TEST_F(CommandLineKernel, PrintsAFileToBeginWith) {
    const Outcome plain = cli({"kernel", "convolution", "--filter", "identity", "--border", "wrap"});
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_NE(plain.out.find("const float* weights) {"), std::string::npos) << plain.out;
    const Outcome copy = cli({"kernel", "convolution", "--copy"});
    writeText(m_folder / "begun.cuh", copy.out);
    EXPECT_EQ(call({"run", "--kernel", file("begun.cuh")}).status, 0);
    const Outcome whole = cli({"kernel", "convolution", "--from", "separable"});
    EXPECT_EQ(whole.status, 0) << whole.err;
    EXPECT_EQ(whole.out.find("// SPDX-License-Identifier: Apache-2.0\n// Copy of: convolution/separable\n"), 0U);
    writeText(m_folder / "whole.cuh", whole.out);
    const Outcome beside = call({"compare", "--variants", "separable", "--kernel", file("whole.cuh"), "--json"});
    EXPECT_EQ(beside.status, 0) << beside.err;
    const auto runs = nlohmann::json::parse(beside.out).at("runs");
    EXPECT_EQ(runs.at(1).at("variant"), "whole");
    EXPECT_EQ(runs.at(1).at("status"), "ok");
    EXPECT_EQ(runs.at(1).at("tunables"), runs.at(0).at("tunables"));
    EXPECT_EQ(cli({"kernel", "convolution", "--from", "opencv"}).err,
              "warplens-cli: opencv is no kernel of ours: there is no file to copy\n");
    const Outcome watershed = cli({"kernel", "watershed"});
    EXPECT_EQ(watershed.status, 0) << watershed.err;
    EXPECT_NE(watershed.out.find("const result_t* from"), std::string::npos) << watershed.out;
}

TEST_F(CommandLineKernel, TellsWhereItDoesNotCompileBeforeAnythingRuns) {
    const Outcome told = call({"compare", "--kernel", file("broken.cuh")});
    EXPECT_EQ(told.status, 2);
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(told.err.find("warplens-cli: broken.cuh:5: "), 0U) << told.err;
    EXPECT_TRUE(isOneLine(told.err)) << told.err;
}

}  // namespace
}  // namespace warplens::test
