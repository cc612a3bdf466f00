// SPDX-License-Identifier: Apache-2.0
// Pictures that parameters name are read as the input is.
#include "io/write.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::test {

namespace {

/// An array of 4 x 5 x 3: a picture in colours, or as z,y,x a volume.
std::string ambiguous(const TemporaryFolder& folder, const std::string& name, int seed) {
    const std::string path = folder / (name + ".npy");
    io::Grid grid({5, 4, 1, 3}, io::PixelType::u8);
    for (int i = 0; i < 60; ++i) grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * seed % 97 % 2 * 200);
    io::write(grid, path);
    return path;
}

nlohmann::json inputOf(const TemporaryFolder& folder) {
    return nlohmann::json::parse(readText(folder / "r.json"))["input"];
}

}  // namespace

TEST(ParameterPictures, axesAreThoseOfTheInput) {
    const TemporaryFolder folder;
    const std::string picture = ambiguous(folder, "picture", 7), other = ambiguous(folder, "other", 5);
    // Were one of them no volume, their extents would not agree.
    for (const std::vector<std::string>& rest : {std::vector<std::string>{"sparse", "--mask", other},
                                                 {"sparse", "--task", "clone", "--source", other},
                                                 {"reduction", "--measure", "comparison", "--with", other}}) {
        std::vector<std::string> line{"run",      picture, "--axes",   "zyx",
                                      "--device", "cpu",   "--report", folder / "r.json"};
        line.insert(line.begin() + 2, rest.begin(), rest.end());
        const Outcome outcome = cli(line);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(inputOf(folder)["depth"], 4);
    }
}

TEST(ParameterPictures, axesThatDoNotFitAreNotTheirs) {
    const TemporaryFolder folder;
    const std::string picture = ambiguous(folder, "picture", 7), slice = folder / "slice.npy";
    io::Grid grid({3, 5, 1, 1}, io::PixelType::u8);
    for (int i = 0; i < 15; ++i) grid.as<std::uint8_t>()[i] = i % 2 == 0 ? 0 : 255;
    io::write(grid, slice);
    for (const std::string& mask : {slice, std::string("gen:checkerboard:3x5:u8:cell=1")}) {
        const Outcome outcome = cli({"run", picture, "sparse", "--axes", "zyx", "--mask", mask, "--device", "cpu"});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
    }
}

}  // namespace warplens::test
