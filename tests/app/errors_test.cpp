// SPDX-License-Identifier: Apache-2.0
// Errors against the double reference, and where the time goes, on the command line.
#include "io/read.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace warplens::test {

using testing::HasSubstr;
using Json = nlohmann::json;

TEST(Errors, singleOutBorderSeamsAndInside) {
    const TemporaryFolder folder;
    const std::vector<std::string> task{
        "gen:noise:70x50:f32", "convolution", "--radius", "2", "--device", "cpu", "--set",
        "block_width=16",      "--errors"};
    std::vector<std::string> compare{"compare"};
    compare.insert(compare.end(), task.begin(), task.end());
    compare.insert(compare.end(), {"--variants", "naive,tiled_output", "--report", folder / "r.html"});
    const Outcome text = cli(compare);
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("Errors against the double reference"));
    EXPECT_THAT(text.out, HasSubstr("tile seams"));
    EXPECT_THAT(readText(folder / "r.html"), HasSubstr("Errors against the double reference"));
    compare.push_back("--json");
    const Outcome told = cli(compare);
    EXPECT_EQ(violation("report", told.out), "");
    const Json runs = Json::parse(told.out)["runs"];
    for (const Json& run : runs) {
        std::set<std::string> regions;
        std::int64_t parts = 0;
        for (const Json& one : run["errors"]) {
            regions.insert(one["region"]);
            if (one["region"] != "all") parts += one["pixels"].get<std::int64_t>();
            EXPECT_LE(one["max_ulp"], run["errors"][0]["max_ulp"]);
        }
        EXPECT_EQ(regions, (std::set<std::string>{"all", "border", "inside", "tile seams"})) << run["id"];
        EXPECT_EQ(parts, 70 * 50) << "every pixel is in one of them";
    }
    // The same as a picture, whose largest value is where the table says.
    std::vector<std::string> single{"run"};
    single.insert(single.end(), task.begin(), task.end());
    single.insert(single.end(), {"--variant", "naive", "--error-picture", folder / "e.npy"});
    const Outcome one = cli(single);
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, HasSubstr("Largest ulp M"));
    const io::Grid errors = io::read(folder / "e.npy");
    double most = 0, sum = 0;
    std::int64_t at[2] = {};
    for (std::int64_t y = 0; y < 50; ++y)
        for (std::int64_t x = 0; x < 70; ++x) {
            const double size = std::abs(errors.value(x, y));
            sum += size;
            if (size <= most) continue;
            most = size;
            at[0] = x;
            at[1] = y;
        }
    const Json& all = runs[0]["errors"][0];
    EXPECT_NEAR(most, all["max_ulp"].get<double>(), 1e-6 * most);
    EXPECT_NEAR(sum / (70 * 50), all["mean_ulp"].get<double>(), 1e-6);
    EXPECT_EQ(all["max_at"], Json({at[0], at[1], 0}));
    EXPECT_GT(most, 0);
    EXPECT_LT(sum / (70 * 50), 2) << "single precision";
}

TEST(Errors, atSeamsOfSlabs) {
    const Outcome cut = cli({"compare", "gen:noise:32x24x20:f32", "convolution", "--dimensions", "3", "--radius", "1",
                             "--variants", "naive", "--device", "cpu", "--memory-limit", "82kB", "--errors", "--json"});
    ASSERT_EQ(cut.status, 0) << cut.err;
    const Json report = Json::parse(cut.out);
    EXPECT_EQ(report["plan"], "7 slabs of 3 slices, halo 1, 80 kB on the device, overlapped");
    const Json& errors = report["runs"][0]["errors"];
    ASSERT_EQ(errors.back()["region"], "slab seams");
    EXPECT_EQ(errors.back()["pixels"], 12 * 30 * 22) << "twelve slices, without the border";
}

TEST(Errors, needAPictureAndOneInputForAnother) {
    for (const std::vector<std::string>& line :
         {std::vector<std::string>{"compare", "gen:noise:9x9:u8", "histogram", "--errors"},
          {"run", "gen:noise:9x9:u8", "gen:noise:8x8:u8", "convolution", "--error-picture", "e.npy", "-o", "."},
          {"run", "gen:noise:9x9:u8", "--recipe", R"({"steps": []})", "--errors"}}) {
        const Outcome outcome = cli(line);
        EXPECT_EQ(outcome.status, 2) << outcome.out;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("--error"));
    }
}

TEST(WhereTheTimeGoes, isPrintedAndInTheReport) {
    const std::vector<std::string> line{
        "compare", "gen:noise:40x30:u8:c=3", "convolution", "--variants", "naive,opencv", "--device", "cpu"};
    const Outcome text = cli(line);
    ASSERT_EQ(text.status, 0) << text.err;
    for (const char* says : {"Where the time goes", "Upload ms M", "Layout ms M", "Kernel ms M", "Download ms M",
                             "Total ms M", "Exposed ms M", "rank nothing"})
        EXPECT_THAT(text.out, HasSubstr(says));
    EXPECT_THAT(text.out, testing::Not(HasSubstr("Display"))) << "there is no window";
    auto json = line;
    json.push_back("--json");
    const Json run = Json::parse(cli(json).out)["runs"][0];
    const auto ms = [&](const char* field) { return run[field].get<double>(); };
    EXPECT_DOUBLE_EQ(ms("exposed_ms"), ms("upload_ms") + ms("layout_ms") + ms("download_ms"));
    EXPECT_DOUBLE_EQ(ms("total_ms"), ms("exposed_ms") + run["time"]["median_ms"].get<double>());
    EXPECT_GT(ms("layout_ms"), 0);
    EXPECT_TRUE(run["display_ms"].is_null());
}

}  // namespace warplens::test
