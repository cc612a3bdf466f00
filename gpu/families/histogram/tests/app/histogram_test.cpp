// SPDX-License-Identifier: Apache-2.0
// Histograms from the command line: the letters of a text file in bins of four, counted a second time here.
#include "tests/app/cli.hpp"
#include "tests/support/temporary_folder.hpp"

#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace warplens::test {
namespace {

TEST(Histogram, countsTheLettersOfATextFile) {
    const std::string text = WARPLENS_SOURCE_DIR "/LICENSE";
    std::ifstream file(text, std::ios::binary);
    std::array<std::int64_t, 7> letters{};
    std::int64_t below = 0, above = 0;
    for (std::istreambuf_iterator<char> c(file), end; c != end; ++c) {
        const int byte = static_cast<unsigned char>(*c);
        if (byte < 'a')
            ++below;
        else if (byte > 'z')
            ++above;
        else
            ++letters[static_cast<std::size_t>((byte - 'a') / 4)];
    }
    ASSERT_GT(letters[0], 100);

    const TemporaryFolder folder;
    const auto report = (folder.path() / "letters.json").string();
    const auto outcome = cli({"compare", "raw:" + text, "histogram", "--range", "97,123", "--bin-width", "4",
                              "--device", "cpu", "--report", report});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::ifstream written(report);
    int counted = 0;
    const auto document = nlohmann::json::parse(written);
    for (const auto& run : document.at("runs")) {
        if (run.at("kind") != "kernel") continue;
        ASSERT_EQ(run.at("status"), "ok") << run.at("variant");
        const auto& result = run.at("result").at(0);
        EXPECT_EQ(result.at("bins"), nlohmann::json(letters)) << run.at("variant");
        EXPECT_EQ(result.at("below"), below);
        EXPECT_EQ(result.at("above"), above);
        EXPECT_EQ(result.at("nan"), 0);
        ++counted;
    }
    EXPECT_EQ(counted, 10);
}

TEST(Histogram, refusesWhatCannotBeCounted) {
    const std::string picture = "gen:noise:20x10:u8";
    for (const auto& [option, value, says] : std::vector<std::array<std::string, 3>>{{"--range", "9,5", "reversed"},
                                                                                     {"--range", "5,5", "empty"},
                                                                                     {"--region", "0,0,21,1", "leaves"},
                                                                                     {"--bins", "0", "bins"}}) {
        const auto outcome = cli({"compare", picture, "histogram", option, value, "--device", "cpu"});
        EXPECT_EQ(outcome.status, 2) << option << " " << value;
        EXPECT_TRUE(isOneLine(outcome.err)) << outcome.err;
        EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    }
    const auto refused = cli({"run", picture, "histogram", "--variant", "register_private", "--device", "cpu"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("at most 16"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace warplens::test
