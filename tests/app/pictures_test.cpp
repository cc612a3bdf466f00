// SPDX-License-Identifier: Apache-2.0
#include "app/cli/pictures.hpp"

#include <array>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::cli {

TEST(Preview, u8IsShownAsItIs) {
    io::Grid grid({3, 1, 1, 1}, io::PixelType::u8);
    for (int i = 0; i < 3; ++i) grid.setValue(i, 0, 0, 0, i * 100);
    const io::Grid shown = preview(grid, displayRange(grid));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(shown.value(i, 0), i * 100);
}

TEST(Preview, f32SpansItsFiniteValuesAndNanIsBlack) {
    io::Grid grid({4, 1, 1, 1}, io::PixelType::f32);
    grid.setValue(0, 0, 0, 0, -2);
    grid.setValue(1, 0, 0, 0, 2);
    grid.setValue(2, 0, 0, 0, std::numeric_limits<double>::quiet_NaN());
    grid.setValue(3, 0, 0, 0, std::numeric_limits<double>::infinity());
    const DisplayRange range = displayRange(grid);
    EXPECT_EQ(range.low, -2);
    EXPECT_EQ(range.high, 2);
    const io::Grid shown = preview(grid, range);
    EXPECT_EQ(shown.value(0, 0), 0);
    EXPECT_EQ(shown.value(1, 0), 255);
    EXPECT_EQ(shown.value(2, 0), 0);
    EXPECT_EQ(shown.value(3, 0), 255);
}

TEST(Preview, aConstantPictureHasARange) {
    io::Grid grid({1, 1, 1, 1}, io::PixelType::f32);
    grid.setValue(0, 0, 0, 0, 7);
    EXPECT_GT(displayRange(grid).high, displayRange(grid).low);
}

TEST(Preview, labelsAreInColoursThatTellThemApart) {
    io::Grid grid({3, 1, 1, 1}, io::PixelType::u32);
    const double labels[] = {0, 16777216, 16777217};
    for (int i = 0; i < 3; ++i) grid.setValue(i, 0, 0, 0, labels[i]);
    const io::Grid shown = preview(grid, displayRange(grid));
    ASSERT_EQ(shown.shape().channels, 3);
    const auto colourAt = [&shown](int x) {
        return std::array{shown.value(x, 0, 0, 0), shown.value(x, 0, 0, 1), shown.value(x, 0, 0, 2)};
    };
    EXPECT_EQ(colourAt(0), (std::array{0.0, 0.0, 0.0}));
    EXPECT_NE(colourAt(1), colourAt(2));
    EXPECT_NE(colourAt(1), colourAt(0));
}

TEST(Preview, isAtMost640PixelsASideAndOneSlice) {
    const io::Grid grid({1281, 5, 3, 3}, io::PixelType::u8);
    const io::Shape shape = preview(grid, {}).shape();
    EXPECT_EQ(shape.width, 427);
    EXPECT_EQ(shape.height, 2);
    EXPECT_EQ(shape.depth, 1);
    EXPECT_EQ(shape.channels, 3);
}

}  // namespace warplens::cli
