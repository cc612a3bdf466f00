// SPDX-License-Identifier: Apache-2.0
// What labels mean, spelled out on small pictures; passes, refusals; and whether the check finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/core/table.hpp"
#include "gpu/families/components/tests/components_case.hpp"

#include <gmock/gmock.h>

namespace warplens::gpu::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<io::Grid> drawn(const std::vector<std::string>& rows, std::int64_t depth = 1) {
    const auto height = static_cast<std::int64_t>(rows.size()) / depth;
    auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(rows.front().size()), height, depth},
                                           io::PixelType::u8);
    std::size_t i = 0;
    for (const auto& row : rows)
        for (const char pixel : row) grid->as<std::uint8_t>()[i++] = pixel == '#' ? 200 : 0;
    return grid;
}

RunRecord runOf(const std::shared_ptr<const io::Grid>& input, const std::string& connectivity,
                const std::string& variant, double level = 0.5) {
    Request request = componentsRequest(input, connectivity, level, "cpu");
    request.variants = {variant};
    Runner runner;
    return runner.run(request).runs.front();
}

std::vector<std::uint32_t> labelsOf(const RunRecord& run) {
    const auto* const labels = run.result.picture->as<std::uint32_t>();
    return {labels, labels + run.result.picture->shape().pixels()};
}

// The second component to begin is not the second to be met by columns or tiles, and the first pixel of a block of
// 2 x 2 is not always its upper left one.
TEST(Components, AreNumberedByTheirFirstPixel) {
    const auto picture = drawn({"...#..#",  //
                                ".#.#...",  //
                                ".###..#",  //
                                "......#",  //
                                "#....#."});
    for (const char* variant :
         {"propagation", "union_find", "block_local", "block_2x2", "runs", "tiled_runs", "opencv"}) {
        EXPECT_THAT(labelsOf(runOf(picture, "8", variant)), ElementsAre(0, 0, 0, 1, 0, 0, 2,  //
                                                                        0, 1, 0, 1, 0, 0, 0,  //
                                                                        0, 1, 1, 1, 0, 0, 3,  //
                                                                        0, 0, 0, 0, 0, 0, 3,  //
                                                                        4, 0, 0, 0, 0, 3, 0))
            << variant;
        if (std::string(variant) == "block_2x2") continue;
        EXPECT_THAT(labelsOf(runOf(picture, "4", variant)), ElementsAre(0, 0, 0, 1, 0, 0, 2,  //
                                                                        0, 1, 0, 1, 0, 0, 0,  //
                                                                        0, 1, 1, 1, 0, 0, 3,  //
                                                                        0, 0, 0, 0, 0, 0, 3,  //
                                                                        4, 0, 0, 0, 0, 5, 0))
            << variant;
    }
}

TEST(Components, AreMeasuredInclusively) {
    const auto run = runOf(drawn({"##..", "....",  //
                                  ".#..", "...#"},
                                 2),
                           "26", "tiled_runs");
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    const Table& table = *run.result.tables.front();
    EXPECT_EQ(table.id, "components");
    std::vector<std::string> ids;
    for (const Column& column : table.columns) ids.push_back(column.id);
    EXPECT_THAT(ids, ElementsAre("label", "area", "x0", "y0", "z0", "x1", "y1", "z1", "cx", "cy", "cz"));
    EXPECT_EQ(toCsv(table).substr(toCsv(table).find('\n') + 1),
              "1,3,0,0,0,1,0,1,0.6666666666666666,0,0.3333333333333333\n2,1,3,1,1,3,1,1,3,1,1\n");
}

TEST(Components, NeighboursOfAVolume) {
    const auto volume = drawn({"#.", "..",  //
                               "..", ".#"},
                              2);
    EXPECT_EQ(runOf(volume, "26", "runs").result.tables.front()->rows(), 1U);
    EXPECT_EQ(runOf(volume, "6", "runs").result.tables.front()->rows(), 2U);
    EXPECT_EQ(runOf(volume, "all", "runs").result.tables.front()->rows(), 1U);
}

TEST(Components, ThatThereAreNone) {
    const auto run = runOf(drawn({"...", "..."}), "all", "runs");
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_EQ(run.result.tables.front()->rows(), 0U);
}

// A way of n pixels takes n - 1 passes for the last label, and one more that finds nothing to do. However long the
// way, labels change in each.
TEST(Components, PassesAreCounted) {
    for (const int length : {1, 2, 15, 16, 17, 33, 64}) {
        const auto run = runOf(generated("gen:constant:" + std::to_string(length) + "x1:u8"), "4", "propagation");
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const Table* passes = findTable(run.result.tables, "passes");
        ASSERT_NE(passes, nullptr);
        EXPECT_EQ(passes->rows(), static_cast<std::size_t>(length));
        for (std::size_t i = 0; i < passes->rows(); ++i)
            EXPECT_EQ(passes->integers("changed")[i], length - 1 - static_cast<std::int64_t>(i));
    }
    EXPECT_EQ(findTable(runOf(generated("gen:constant:9x1:u8"), "4", "runs").result.tables, "passes"), nullptr);
}

TEST(Components, RefusesNeighboursThatThereAreNot) {
    const auto refusal = [](const std::string& input, const char* connectivity) {
        try {
            familyOf("components").pose(generated(input), {{"connectivity", std::string(connectivity)}});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* connectivity : {"4", "8", "6", "26", "all"})
        EXPECT_EQ(refusal("gen:constant:4x4:u8", connectivity), "");
    for (const char* connectivity : {"6", "26", "all"}) EXPECT_EQ(refusal("gen:constant:4x4x2:u8", connectivity), "");
    EXPECT_THAT(refusal("gen:constant:4x4x2:u8", "8"), HasSubstr("choose 6 or 26"));
    EXPECT_THAT(refusal("gen:constant:4x4:u8", "5"), HasSubstr("connectivity"));
}

TEST(Components, TheCheckFindsAWrongLabelAndAWrongFigure) {
    const auto picture = drawn({"##.#", "...#"});
    const auto problem = familyOf("components").pose(picture, {});
    const auto run = runOf(picture, "8", "runs");
    const Variant& variant = variantOf(familyOf("components"), "runs");
    EXPECT_EQ(problem->verify(run.result, variant, {}).mismatches, 0);
    EXPECT_EQ(problem->verify(run.result, variant, {}).checkedShare, 1);

    Result wrong = run.result;
    auto labels = std::make_shared<io::Grid>(run.result.picture->clone());
    labels->as<std::uint32_t>()[7] = 1;
    wrong.picture = labels;
    EXPECT_EQ(problem->verify(wrong, variant, {}).mismatches, 1);
    EXPECT_THAT(problem->verify(wrong, variant, {}).firstMismatch, HasSubstr("x 3 y 1"));

    for (const char* column : {"area", "x0", "y0", "x1", "y1"}) {
        auto table = std::make_shared<Table>(*run.result.tables.front());
        for (Column& c : table->columns)
            if (c.id == column) ++std::get<Column::Integers>(c.values)[1];
        wrong = run.result;
        wrong.tables = {table};
        EXPECT_EQ(problem->verify(wrong, variant, {}).mismatches, 1) << column;
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
