// SPDX-License-Identifier: Apache-2.0
// What a rank filter is, by values worked out by hand and by sorting whole windows.
#include "gpu/core/error.hpp"
#include "gpu/families/rank/reference.hpp"
#include "gpu/families/rank/tests/rank_case.hpp"
#include "tests/support/npp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gpu::rank {
namespace {

using testing::noise;

Case posed(const io::Grid& input, int radius, double percentile, Border border, bool cross = false,
           bool volume = false) {
    Case made{.type = input.type(), .window = {radius, cross, volume}, .border = border};
    made.index = indexOf(percentile, made.window.values());
    return made;
}

TEST(RankDefinition, IndexRoundsHalfUp) {
    EXPECT_EQ(indexOf(0, 9), 0);
    EXPECT_EQ(indexOf(50, 9), 4);
    EXPECT_EQ(indexOf(100, 9), 8);
    EXPECT_EQ(indexOf(25, 9), 2);
    EXPECT_EQ(indexOf(6.25, 9), 1);  // 0.5 + 0.5
    EXPECT_EQ(indexOf(6.2, 9), 0);
    EXPECT_EQ(indexOf(50, 5625), 2812);
}

// 0 1 2 / 10 11 12 / 20 21 22: the window of the upper left corner as each border continues it.
TEST(RankDefinition, EachBorderContinuesThePictureItsOwnWay) {
    io::Grid grid({3, 3}, io::PixelType::u8);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) grid.setValue(x, y, 0, 0, 10 * y + x);
    const auto corner = [&](Border border, double percentile) {
        return rankedAt(grid, posed(grid, 1, percentile, border), 0, 0, 0, 0);
    };
    // zero: 0 0 0 0 0 0 1 10 11; replicate: 0 0 0 0 1 1 10 10 11; reflect: 0 1 1 10 10 11 11 11 11;
    // wrap: 0 1 2 10 11 12 20 21 22.
    EXPECT_EQ(corner(Border::zero, 75), 1);
    EXPECT_EQ(corner(Border::replicate, 50), 1);
    EXPECT_EQ(corner(Border::reflect, 50), 10);
    EXPECT_EQ(corner(Border::reflect, 12.5), 1);
    EXPECT_EQ(corner(Border::wrap, 50), 11);
    EXPECT_EQ(corner(Border::wrap, 100), 22);
}

TEST(RankDefinition, ACrossAndACube) {
    io::Grid grid({3, 3, 3}, io::PixelType::f32);
    for (int i = 0; i < 27; ++i) grid.setValue(i % 3, i / 3 % 3, i / 9, 0, i);
    // Around the centre, 13: 10 12 13 14 16 in its slice, 4 and 22 before and behind.
    EXPECT_EQ(rankedAt(grid, posed(grid, 1, 0, Border::zero, true), 1, 1, 1, 0), 10);
    EXPECT_EQ(rankedAt(grid, posed(grid, 1, 0, Border::zero, true, true), 1, 1, 1, 0), 4);
    EXPECT_EQ(rankedAt(grid, posed(grid, 1, 100, Border::zero, false, true), 1, 1, 1, 0), 26);
    EXPECT_EQ(rankedAt(grid, posed(grid, 1, 50, Border::zero, false, true), 1, 1, 1, 0), 13);
}

TEST(RankDefinition, NotANumberIsTheLargest) {
    io::Grid grid({3, 1}, io::PixelType::f32);
    grid.setValue(0, 0, 0, 0, -std::numeric_limits<double>::quiet_NaN());
    grid.setValue(1, 0, 0, 0, std::numeric_limits<double>::infinity());
    grid.setValue(2, 0, 0, 0, -5);
    EXPECT_EQ(rankedAt(grid, posed(grid, 1, 0, Border::replicate), 1, 0, 0, 0), -5);
    EXPECT_TRUE(std::isinf(rankedAt(grid, posed(grid, 1, 50, Border::replicate), 1, 0, 0, 0)));
    EXPECT_TRUE(std::isnan(rankedAt(grid, posed(grid, 1, 100, Border::replicate), 1, 0, 0, 0)));
}

// 5 5 9 5 5 1 1 5: an opening takes the peak away and leaves the valley, a closing fills the valley.
TEST(RankDefinition, AnOpeningTakesPeaksAClosingFillsValleys) {
    const auto input = std::make_shared<io::Grid>(io::Shape{8, 1}, io::PixelType::u8);
    const int values[] = {5, 5, 9, 5, 5, 1, 1, 5}, open[] = {5, 5, 5, 5, 5, 1, 1, 1},
              close[] = {5, 5, 9, 5, 5, 5, 5, 5}, topHat[] = {0, 0, 4, 0, 0, 0, 0, 4},
              blackHat[] = {0, 0, 0, 0, 0, 4, 4, 0}, gradient[] = {0, 4, 4, 4, 4, 4, 4, 4};
    for (int x = 0; x < 8; ++x) input->setValue(x, 0, 0, 0, values[x]);
    const auto judged = [&](const char* task, const int(&wanted)[8]) {
        const auto problem = gpu::familyOf("rank").pose(input, {{"task", std::string(task)}});
        auto output = std::make_shared<io::Grid>(io::Shape{8, 1}, io::PixelType::u8);
        for (int x = 0; x < 8; ++x) output->setValue(x, 0, 0, 0, wanted[x]);
        return problem->verify({.picture = output}, {}, {}).mismatches;
    };
    EXPECT_EQ(judged("open", open), 0);
    EXPECT_EQ(judged("close", close), 0);
    EXPECT_EQ(judged("top-hat", topHat), 0);
    EXPECT_EQ(judged("black-hat", blackHat), 0);
    EXPECT_EQ(judged("gradient", gradient), 0);
}

TEST(RankDefinition, AWrongValueIsFound) {
    const auto input = noise({12, 9}, io::PixelType::u8);
    Case of = posed(*input, 1, 50, Border::reflect);
    io::Grid output(input->shape(), io::PixelType::u8);
    for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 12; ++x) output.setValue(x, y, 0, 0, rankedAt(*input, of, x, y, 0, 0));
    const Verifier verifier(input, of, 1);
    EXPECT_EQ(verifier.verify(output, {}).mismatches, 0);
    output.setValue(11, 8, 0, 0, output.value(11, 8, 0, 0) == 0 ? 1 : 0);
    EXPECT_EQ(verifier.verify(output, {}).mismatches, 1);
}

// A large picture is checked on tiles: all four corners among them.
TEST(RankDefinition, LargePicturesAreCheckedAtEveryCorner) {
    const auto zeros = [] {
        auto grid = std::make_shared<io::Grid>(io::Shape{900, 700}, io::PixelType::u8);
        std::fill_n(grid->as<std::uint8_t>(), 900 * 700, std::uint8_t{0});
        return grid;
    };
    const auto input = zeros();
    const Verifier verifier(input, posed(*input, 37, 50, Border::replicate), 1);
    const auto right = verifier.verify(*input, {});
    EXPECT_EQ(right.mismatches, 0);
    EXPECT_LT(right.checkedShare, 0.2);
    EXPECT_GT(right.checkedShare, 0.005);
    for (const auto& [x, y] : {std::pair{0, 0}, {899, 0}, {0, 699}, {899, 699}}) {
        const auto wrong = zeros();
        wrong->setValue(x, y, 0, 0, 77);
        EXPECT_EQ(verifier.verify(*wrong, {}).mismatches, 1) << x << ' ' << y;
    }
}

TEST(RankDefinition, RefusesLargeRadiiInThreeDimensions) {
    const auto volume = noise({4, 4, 4}, io::PixelType::u8);
    const auto pose = [&](std::int64_t radius) {
        return gpu::familyOf("rank").pose(volume, {{"radius", radius}, {"dimensions", std::string("3")}});
    };
    EXPECT_NO_THROW(pose(2));
    EXPECT_THROW(pose(3), Error);
}

TEST(RankNpp, SaysWhatItTakes) {
    using ::testing::HasSubstr;
    const auto why = [](io::PixelType type, const ParameterValues& values) {
        return testing::whyNotNpp("rank", noise({33, 17}, type), values);
    };
    const auto here = testing::isEmptyOrNppMissing();
    EXPECT_THAT(why(io::PixelType::u8, testing::ranked(5)), here);
    EXPECT_THAT(why(io::PixelType::u8, testing::ranked(6)), HasSubstr("up to 11 x 11"));
    EXPECT_THAT(why(io::PixelType::f32, testing::ranked(2)), here);
    EXPECT_THAT(why(io::PixelType::f32, testing::ranked(3)), HasSubstr("up to 5 x 5"));
    EXPECT_THAT(why(io::PixelType::u16, testing::ranked(1)), HasSubstr("u8 and f32"));
    EXPECT_THAT(why(io::PixelType::u8, testing::ranked(1, 25)), HasSubstr("medians of squares"));
    EXPECT_THAT(why(io::PixelType::u8, testing::crossed(1)), HasSubstr("medians of squares"));
    EXPECT_THAT(why(io::PixelType::u8, testing::opened(2)), HasSubstr("medians of squares"));
    EXPECT_THAT(why(io::PixelType::u8, testing::ranked(1, 50, "reflect")), HasSubstr("border replicate"));
    EXPECT_THAT(testing::whyNotNpp("rank", noise({4, 9}, io::PixelType::u8), testing::ranked(2)), HasSubstr("fit"));
    auto withNan = noise({33, 17}, io::PixelType::f32);
    withNan->setValue(3, 3, 0, 0, std::numeric_limits<double>::quiet_NaN());
    EXPECT_THAT(testing::whyNotNpp("rank", withNan, testing::ranked(1)), HasSubstr("not a number"));
}

}  // namespace
}  // namespace warplens::gpu::rank
