// SPDX-License-Identifier: Apache-2.0
// film: the life of one block as text and as a document.
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::test {

using testing::HasSubstr;

TEST(FilmCommand, writesEachRequestOfEachWarpAsADocument) {
    const TemporaryFolder folder;
    const std::string file = folder / "film.json";
    const Outcome outcome = cli({"film", "gen:noise:96x80:f32", "convolution", "--radius", "2", "--variant",
                                 "tiled_output", "--block", "1,4", "-o", file});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    const std::string text = readText(file);
    EXPECT_EQ(violation("film", text), "");
    const auto film = nlohmann::json::parse(text);
    EXPECT_EQ(film["index"], nlohmann::json({1, 4, 0}));
    EXPECT_EQ(film["arrays"][0]["bytes"], 36 * 12 * 4);
    EXPECT_EQ(film["barriers"].size(), 1U);
    // The first lane of warp 0 reads the tile's first cell: two pixels left of and above the block's own.
    EXPECT_EQ(film["steps"][0]["pixels"][0], nlohmann::json({30, 30, 0}));
    std::int64_t stores = 0;
    for (const auto& step : film["steps"]) stores += step["space"] == "shared" && step["operation"] == "store";
    EXPECT_EQ(stores, 14);
}

TEST(FilmCommand, tellsItInWordsAndRefusesWhatThereIsNot) {
    const std::vector<std::string> call{"film", "gen:noise:64x48:u8", "histogram", "--variant", "privatised"};
    const Outcome outcome = cli(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("queue on one address"));
    EXPECT_THAT(outcome.out, HasSubstr("barrier at privatised.cuh:"));
    const auto refused = [&](std::vector<std::string> more) {
        auto all = call;
        all.insert(all.end(), more.begin(), more.end());
        const Outcome refusal = cli(all);
        EXPECT_EQ(refusal.status, 2);
        return refusal.err;
    };
    EXPECT_THAT(refused({"--block", "1000,0"}), HasSubstr("lies outside the grid"));
    EXPECT_THAT(refused({"--block", "a"}), HasSubstr("whole numbers from 0"));
    EXPECT_THAT(refused({"--launched", "nothing"}), HasSubstr("no kernel nothing is launched; there are: privatised"));
}

}  // namespace warplens::test
