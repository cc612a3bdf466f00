// SPDX-License-Identifier: Apache-2.0
// Any table of a result can be written, beside a picture as well.
#include "gpu/core/registry.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {

using testing::HasSubstr;
using testing::StartsWith;

namespace {

/// What a family's result holds with its defaults, by its report.
nlohmann::json tablesOf(const TemporaryFolder& folder, const std::string& family) {
    const auto outcome =
        cli({"run", "gen:coins:24x20:u8", family, "--device", "cpu", "--report", folder / (family + ".json")});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(readText(folder / (family + ".json")))["runs"][0]["tables"];
}

}  // namespace

TEST(ChosenTable, everyTableOfEveryFamilyCanBeWritten) {
    const TemporaryFolder folder;
    for (const gpu::Family* family : gpu::families()) {
        if (!family->info().makesTables) continue;
        for (const auto& table : tablesOf(folder, family->id())) {
            const std::string id = table["id"];
            for (const char* name : {"t.csv", "t.npy"}) {
                const Outcome outcome = cli(
                    {"run", "gen:coins:24x20:u8", family->id(), "--device", "cpu", "--table", id, "-o", folder / name});
                EXPECT_EQ(outcome.status, 0) << family->id() << ' ' << id << outcome.err;
            }
            EXPECT_THAT(readText(folder / "t.csv"), StartsWith(table["columns"][0]["id"].get<std::string>()));
            // Fields by their names: no picture is such an array.
            EXPECT_THAT(readText(folder / "t.npy"), HasSubstr("'descr': [('"));
        }
    }
}

TEST(ChosenTable, goesToAFolderForEachVariantAndInput) {
    const TemporaryFolder folder;
    Outcome outcome = cli({"compare", "gen:coins:24x20:u8", "components", "--variants", "runs,union_find", "--device",
                           "cpu", "--table", "components", "-o", folder / "compared"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "compared")) {
        ++files;
        EXPECT_THAT(readText(entry.path()), StartsWith("label,area,"));
    }
    EXPECT_EQ(files, 2);
    outcome = cli({"run", "gen:coins:24x20:u8", "gen:coins:24x20:u16", "components", "--device", "cpu", "--table",
                   "components", "-o", folder / "batch"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "batch"))
        EXPECT_EQ(entry.path().extension(), ".csv");
}

TEST(ChosenTable, measuresOfLabelsAreMadeWhenTheyAreAskedFor) {
    const TemporaryFolder folder;
    const std::vector<std::string> run{"run",     "gen:coins:24x20:u8", "components", "--device", "cpu",
                                       "--table", "measures",           "-o"};
    auto asked = run;
    asked.push_back(folder / "m.csv");
    const Outcome outcome = cli(asked);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(
        readText(folder / "m.csv"),
        StartsWith("label,pixels,perimeter,circularity,diameter,feret,feret_min,x,y,x0,x1,y0,y1,at_edge,neighbours,"
                   "mean,deviation,least,greatest,sum\n1,"));
    asked = run;
    asked.insert(asked.end(), {folder / "u.csv", "--unit-heads"});
    ASSERT_EQ(cli(asked).status, 0);
    const std::string plain = readText(folder / "m.csv"), units = readText(folder / "u.csv");
    EXPECT_THAT(units, StartsWith("label,pixels [px],perimeter [px],circularity,diameter [px],feret [px],"
                                  "feret_min [px],x [px],y [px],x0 [px],x1 [px],y0 [px],y1 [px],at_edge,neighbours,"
                                  "mean,deviation,least,greatest,sum\n"));
    EXPECT_EQ(units.substr(units.find('\n')), plain.substr(plain.find('\n')));
    const Outcome other =
        cli({"run", "gen:coins:24x20:u8", "rank", "--device", "cpu", "--table", "measures", "-o", folder / "n.csv"});
    EXPECT_EQ(other.status, 2) << "no labels";
}

TEST(Outlines, ofLabelsAreWrittenForImageJ) {
    const TemporaryFolder folder;
    const Outcome outcome =
        cli({"run", "gen:coins:48x40:u8", "components", "--device", "cpu", "-o", folder / "RoiSet.zip"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(readText(folder / "RoiSet.zip"), StartsWith("PK\3\4"));
    EXPECT_THAT(readText(folder / "RoiSet.zip"), HasSubstr("1.roiIout"));
    for (const char* other : {"rank", "distance"}) {
        const Outcome refused =
            cli({"run", "gen:coins:48x40:u8", other, "--device", "cpu", "-o", folder / "other.zip"});
        EXPECT_EQ(refused.status, 3) << "no labels";
        EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
    }
}

TEST(ChosenTable, thatCannotBeIsRefusedInOneLine) {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
        {{"components", "--table", "components"}, "give -o"},
        {{"components", "--unit-heads"}, "give -o"},
        {{"components", "--table", "areas", "-o", folder / "a.csv"}, "it has: components"},
        {{"convolution", "--table", "x", "-o", folder / "a.csv"}, "makes no tables"},
        {{"components", "--table", "components", "-o", folder / "a.png"}, ".csv or .npy"}};
    for (const auto& [rest, says] : refused) {
        std::vector<std::string> line{"run", "gen:coins:24x20:u8", "--device", "cpu"};
        line.insert(line.begin() + 2, rest.begin(), rest.end());
        const Outcome outcome = cli(line);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(says));
    }
}

}  // namespace warplens::test
