// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// The loader looks for drivers in a folder that is not there.
const std::map<std::string, std::string> kNoDriver{
    {"OCL_ICD_VENDORS", "/nonexistent"}, {"OCL_ICD_FILENAMES", ""}, {"CUDA_VISIBLE_DEVICES", ""}};

json reportOf(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {}) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "report.json").string();
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--report", file});
    const Outcome outcome = cli(all, environment);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    std::ifstream stream(file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(violation("report", text), "");
    return json::parse(text);
}

TEST(PortableRows, withoutADriverSayWhatToInstall) {
    const auto report =
        reportOf({"compare", "gen:noise:9x7:f32", "convolution", "--device", "cpu", "--variants", "naive,opencl_naive"},
                 kNoDriver);
    const json& row = report["runs"][1];
    EXPECT_EQ(row["variant"], "opencl_naive");
    EXPECT_EQ(row["kind"], "portable");
    EXPECT_EQ(row["status"], "unsupported");
    EXPECT_THAT(row["reason"].get<std::string>(), HasSubstr("pocl-opencl-icd"));
    const Outcome alone =
        cli({"run", "gen:noise:9x7:f32", "convolution", "--device", "cpu", "--variant", "opencl_naive"}, kNoDriver);
    EXPECT_EQ(alone.status, 2);
    EXPECT_TRUE(isOneLine(alone.err)) << alone.err;
    EXPECT_THAT(alone.err, HasSubstr("No OpenCL"));
    EXPECT_THAT(cli({"devices"}, kNoDriver).out, HasSubstr("No OpenCL"));
    const auto devices = json::parse(cli({"devices", "--json"}, kNoDriver).out);
    EXPECT_EQ(devices["opencl"], json::array());
    EXPECT_TRUE(devices["why_no_opencl"].is_string());
}

TEST(PortableRows, runWhereTheyAreNamedAndNameTheirClock) {
    const std::vector<std::string> stencil{"compare", "gen:noise:19x17:f32", "stencil", "--device",
                                           "cpu",     "--iterations",        "5"};
    const auto unnamed = reportOf(stencil);
    for (const json& row : unnamed["runs"]) EXPECT_NE(row["kind"], "portable") << row["variant"];
    auto named = stencil;
    named.insert(named.end(), {"--variants", "naive,acc_copy_every_step,acc_resident"});
    const auto runs = reportOf(named)["runs"];
    ASSERT_EQ(runs.size(), 3U);
    if (runs[1]["status"] == "unsupported") GTEST_SKIP() << runs[1]["reason"];
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_EQ(runs[i]["kind"], "portable");
        EXPECT_EQ(runs[i]["status"], "ok");
        EXPECT_EQ(runs[i]["time"]["clock"], "cpu-openacc");
        EXPECT_EQ(runs[i]["verification"]["mismatches"], 0);
    }
    const Outcome table = cli(named);
    EXPECT_THAT(table.out, HasSubstr("acc_resident (portable)"));
    EXPECT_THAT(table.out, HasSubstr("acc_copy_every_step, acc_resident: ran on cpu, timed by cpu-openacc; verdicts "
                                     "compare only within one clock"));
}

TEST(PortableRows, areListedWithTheirSources) {
    const auto variants = json::parse(cli({"list", "variants", "--json"}).out);
    int rows = 0;
    for (const json& variant : variants) {
        if (variant["kind"] != "portable") continue;
        ++rows;
        EXPECT_TRUE(variant["devices"] == "opencl" || variant["devices"] == "openacc") << variant["id"];
        EXPECT_TRUE(variant["source"].is_string()) << variant["id"];
        EXPECT_TRUE(variant["predecessor"].is_string()) << "it is compared with it line by line";
    }
    EXPECT_EQ(rows, 9);
}

}  // namespace
}  // namespace warplens::test
