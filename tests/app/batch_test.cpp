// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

namespace warplens::test {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

namespace {

/// Writes a small NPY through the program itself.
void makePicture(const std::string& path) {
    ASSERT_EQ(cli({"run", "gen:noise:20x10:u8", "convolution", "--device", "cpu", "-o", path}).status, 0);
}

std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    return names;
}

}  // namespace

TEST(Batch, aFolderIsFilteredPastABadFile) {
    const TemporaryFolder in, out;
    makePicture(in / "a.npy");
    makePicture(in / "c.npy");
    writeText(in / "b.npy", "this is no picture");
    writeText(in / "notes.txt", "neither is this, and nobody says it is");
    const Outcome outcome = cli({"run", in.path().string(), "convolution", "--device", "cpu", "-o", out / "results",
                                 "--report", out / "r.json"});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("b.npy"));
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2) << outcome.out;
    EXPECT_THAT(namesIn(out.path() / "results"), UnorderedElementsAre("a.npy", "c.npy"));
    EXPECT_EQ(violation("report", readText(out / "r.a.json")), "");
    EXPECT_EQ(violation("report", readText(out / "r.c.json")), "");
}

// What a family finds in one picture alone: a place outside of it, a mask of another size, a type that it does not
// take.
TEST(Batch, everyErrorNamesItsInput) {
    const std::string small = "gen:noise:5x5:u8", large = "gen:noise:9x9:u8", floats = "gen:noise:8x9:f32";
    const std::vector<std::pair<std::vector<std::string>, std::string>> lines{
        {{small, large, "flood", "--seeds", "8,8"}, small},
        {{large, small, "sparse", "--mask", "gen:checkerboard:9x9:u8"}, small},
        {{large, floats, "scan", "--task", "equalise"}, floats},
        {{floats, large, "layout", "--task", "reslice", "--memory-limit", "50"}, floats}};
    for (const auto& [rest, bad] : lines)
        for (const char* command : {"run", "compare"}) {
            std::vector<std::string> line{command};
            line.insert(line.end(), rest.begin(), rest.end());
            line.insert(line.end(), {"--device", "cpu"});
            const Outcome outcome = cli(line);
            EXPECT_NE(outcome.status, 0);
            EXPECT_THAT(outcome.err, HasSubstr("warplens-cli: " + bad + ": ")) << command;
        }
}

TEST(Batch, inputsOfTheSameNameDoNotOverwriteEachOther) {
    const TemporaryFolder one, two, out;
    makePicture(one / "a.npy");
    makePicture(two / "a.npy");
    EXPECT_EQ(
        cli({"run", one / "a.npy", two / "a.npy", "convolution", "--device", "cpu", "-o", out.path().string()}).status,
        0);
    EXPECT_THAT(namesIn(out.path()), UnorderedElementsAre("a.npy", "a-2.npy"));
}

TEST(Batch, neverWritesOverAnInputStillToCome) {
    const TemporaryFolder in;
    makePicture(in / "b.npy");
    std::filesystem::create_directory(in.path() / "sub");
    makePicture(in / "sub/b.npy");
    const std::string before = readText(in / "b.npy");
    // sub/b.npy comes first, and its result would be called b.npy in the folder of the second input.
    const Outcome outcome =
        cli({"run", in / "sub/b.npy", in / "b.npy", "convolution", "--device", "cpu", "-o", in.path().string()});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("would replace an input"));
    EXPECT_EQ(readText(in / "b.npy"), before);
}

TEST(Batch, neverWritesOverItsInput) {
    const TemporaryFolder folder;
    makePicture(folder / "a.npy");
    const std::string before = readText(folder / "a.npy");
    const Outcome outcome =
        cli({"run", folder.path().string(), "convolution", "--device", "cpu", "-o", folder.path().string()});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(readText(folder / "a.npy"), before);
}

TEST(Batch, anEmptyFolderIsAnError) {
    const TemporaryFolder folder;
    const Outcome outcome = cli({"compare", folder.path().string(), "convolution"});
    EXPECT_EQ(outcome.status, 3);
    EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
}

TEST(Batch, jsonIsOneLineAnInput) {
    const Outcome outcome = cli({"compare", "gen:noise:20x10:u8", "gen:gradient:9x9:f32", "convolution", "--device",
                                 "cpu", "--variants", "naive", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::istringstream lines(outcome.out);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(violation("report", line), "");
    EXPECT_EQ(count, 2);
}

TEST(Batch, compareWritesAPictureAVariant) {
    const TemporaryFolder folder;
    const Outcome outcome = cli({"compare", "gen:noise:20x10:u8", "convolution", "--device", "cpu", "--variants",
                                 "naive,constant", "-o", folder / "pictures"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(namesIn(folder.path() / "pictures"),
                UnorderedElementsAre("gen_noise_20x10_u8-naive.npy", "gen_noise_20x10_u8-constant.npy"));
}

}  // namespace warplens::test
