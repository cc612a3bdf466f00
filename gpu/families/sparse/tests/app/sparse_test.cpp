// SPDX-License-Identifier: Apache-2.0
// Sparse matrices from the command line: what scripts rely on, and what is refused.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <array>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Sparse, FillsAMaskAndSaysHowItWent) {
    const TemporaryFolder folder;
    for (const char* solver : {"jacobi", "cg", "multigrid"}) {
        const auto outcome = cli({"run", "gen:gradient:20x10:u16", "sparse", "--task", "inpaint", "--mask",
                                  "gen:checkerboard:20x10:u8:cell=3", "--solver", solver, "--device", "cpu", "-o",
                                  folder / "r.npy", "--report", folder / "r.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(violation("report", readText(folder / "r.json")), "");
        EXPECT_EQ(nlohmann::json::parse(cli({"info", folder / "r.npy", "--json"}).out)["type"], "u16");
        const auto run = nlohmann::json::parse(readText(folder / "r.json"))["runs"][0];
        EXPECT_EQ(run["evolution"]["stopped"], "tolerance") << solver;
        EXPECT_LE(run["evolution"]["residuals"].back()["max_change"], 0.001) << solver;
        const auto& table = run["tables"][0];
        EXPECT_EQ(table["id"], "residuals");
        EXPECT_EQ(table["columns"][1]["id"], "residual") << "what is left is no change";
        EXPECT_EQ(table["columns"][1]["title"], "Residual, of the first");
    }
}

TEST(Sparse, ProductsAreFloatsWithATableOfTheFormat) {
    const TemporaryFolder folder;
    for (const char* matrix : {"laplacian", "diffusion", "filter"}) {
        const auto outcome = cli({"run", "gen:noise:20x10:u8", "sparse", "--matrix", matrix, "--variant", "ell",
                                  "--device", "cpu", "-o", folder / "r.npy", "--report", folder / "r.json"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(nlohmann::json::parse(cli({"info", folder / "r.npy", "--json"}).out)["type"], "f32");
        const auto table = nlohmann::json::parse(readText(folder / "r.json"))["runs"][0]["tables"][0];
        EXPECT_EQ(table["id"], "formats");
        EXPECT_EQ(table["rows"][0][0], "ell");
    }
}

TEST(Sparse, MultipliesByAMatrixMarketFile) {
    const TemporaryFolder folder;
    writeText(folder / "m.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 2\n3 1 -1\n2 2 10\n");
    writeText(folder / "x.csv", "1,2,5\n");
    for (const char* variant : {"dense", "csc", "jds", "merge_path"}) {
        const auto outcome = cli({"run", folder / "x.csv", "sparse", "--matrix", folder / "m.mtx", "--variant", variant,
                                  "--device", "cpu", "-o", folder / "y.npy"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const std::string file = readText(folder / "y.npy");
        std::array<float, 3> y{};
        ASSERT_GT(file.size(), sizeof y);
        std::memcpy(y.data(), file.data() + file.size() - sizeof y, sizeof y);
        EXPECT_EQ(y, (std::array{-3.0F, 20.0F, -1.0F})) << variant;
    }
    writeText(folder / "cut.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 900\n1 1 2\n");
    const auto refused = cli({"run", folder / "x.csv", "sparse", "--matrix", folder / "cut.mtx", "--device", "cpu"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(isOneLine(refused.err)) << refused.err;
    EXPECT_THAT(refused.err, testing::HasSubstr("900 entries do not fit"));
}

TEST(Sparse, RefusesWhatItCannotDoInOneLine) {
    for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--task", "inpaint"}, "mask: there is none"},
             {{"--task", "clone"}, "source: there is none"},
             {{"--task", "inpaint", "--mask", "gen:noise:9x8:u8"}, "give a mask of the same extents"},
             {{"--task", "inpaint", "--mask", "gen:constant:9x9:u8"}, "leave some of it to start from"},
             {{"--task", "clone", "--source", "gen:noise:5x5:u8:c=3"}, "give as many"},
             {{"--task", "clone", "--source", "gen:noise:5x5:u8", "--at", "3;4"}, "give it as X,Y"},
             {{"--task", "clone", "--source", "gen:noise:5x5:u8", "--at", "40,40"}, "at: the source lies on none"},
             {{"--task", "clone", "--source", "gen:noise:5x5:u8", "--mask", "gen:constant:9x9:u8", "--at", "40,40"},
              "nowhere above 0 where the source lies"},
             {{"--task", "clone", "--source", "gen:noise:5x5:u8", "--mask", "gen:constant:9x9:u8:value=0"},
              "is nowhere above 0: there is no unknown"},
             {{"--variant", "diagonals", "--mask", "gen:checkerboard:9x9:u8"}, "sliced_ell takes them"}}) {
        std::vector<std::string> all{"run", "gen:noise:9x9:u8", "sparse", "--device", "cpu"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const auto outcome = cli(all);
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_THAT(outcome.err, testing::HasSubstr(says));
    }
}

}  // namespace
}  // namespace warplens::test
