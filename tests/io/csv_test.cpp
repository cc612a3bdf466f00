// SPDX-License-Identifier: Apache-2.0
// Tables of numbers as pictures: what may stand between numbers and rows, and what is no table.
#include "io/csv.hpp"

#include "io/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace warplens::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<float> valuesOf(const Grid& grid) { return {grid.as<float>(), grid.as<float>() + grid.shape().values()}; }

std::string refusalOf(const std::string& text) {
    try {
        parseCsv(text, "t.csv");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::unreadable);
        return error.what();
    }
    return {};
}

TEST(Csv, RowsAreLinesHoweverTheirNumbersArePartedAndTheyEnd) {
    for (const std::string between : {",", ", ", " , ", ";", "\t", " ", "   ", "\t ", ",\t"}) {
        for (const std::string end : {"\n", "\r\n", " \n", "\n\n", "\n \r\n"}) {
            for (const bool last : {false, true}) {
                for (const std::string mark : {"", "\xef\xbb\xbf", "\n"}) {
                    std::string text =
                        mark + "1" + between + "-2.5" + between + "3e2" + end + "+4" + between + "0" + between + ".5";
                    if (last) text += end;
                    const Grid grid = parseCsv(text, "t.csv");
                    ASSERT_EQ(grid.shape(), (Shape{3, 2})) << text;
                    ASSERT_THAT(valuesOf(grid), ElementsAre(1, -2.5F, 300, 4, 0, 0.5F)) << text;
                    ASSERT_EQ(grid.type(), PixelType::f32);
                }
            }
        }
    }
    EXPECT_EQ(parseCsv("7", "t.csv").shape(), (Shape{1, 1}));
}

TEST(Csv, WhatIsNoTableIsRefusedWithItsPlace) {
    EXPECT_THAT(refusalOf("1,2\n3,x\n"), HasSubstr("t.csv: row 2, column 2: 'x' is no number"));
    EXPECT_THAT(refusalOf("bin,count\n0,1\n"), HasSubstr("row 1, column 1: 'bin'"));
    EXPECT_THAT(refusalOf("1,2\n3\n"), HasSubstr("row 2 has 1 number, the first 2"));
    EXPECT_THAT(refusalOf("1,2,\n"), HasSubstr("row 1, column 3: ''"));
    EXPECT_THAT(refusalOf("1,,2\n"), HasSubstr("row 1, column 2: ''"));
    EXPECT_THAT(refusalOf("1,5;2,5\n"), HasSubstr("row 1 has commas and semicolons"));
    EXPECT_THAT(refusalOf("1,1e300\n"), HasSubstr("row 1, column 2: '1e300' is larger than any number of 32 bits"));
    EXPECT_THAT(refusalOf("0x10\n"), HasSubstr("is no number"));
    EXPECT_THAT(refusalOf("\n \r\n"), HasSubstr("the table is empty"));
    EXPECT_THAT(refusalOf(std::string("1,\x01\x7f\n")), HasSubstr("'\?\?'"));
}

TEST(Csv, IsReadByItsName) {
    const test::TemporaryFolder folder;
    for (const std::string name : {"weights.csv", "WEIGHTS.CSV"}) {
        test::writeText(folder / name, "1,0,0\n0,1,0\n0,0,1\n");
        EXPECT_EQ(read(folder / name).shape(), (Shape{3, 3})) << name;
    }
    EXPECT_FALSE(isCsv("csv"));
    EXPECT_FALSE(isCsv("a.csv.png"));
    ReadOptions axes;
    axes.axes = "yx";
    EXPECT_THROW(read(folder / "weights.csv", axes), Error);
    ReadOptions small;
    small.limits.fileBytes = 4;
    EXPECT_THROW(read(folder / "weights.csv", small), Error);
}

TEST(Csv, WritesEveryTypeSoThatItComesBack) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32, PixelType::u32, PixelType::i32}) {
        Grid grid({3, 2}, type);
        for (int i = 0; i < 6; ++i) grid.setValue(i % 3, i / 3, 0, 0, type == PixelType::f32 ? i / 3.0 - 1 : i * 40);
        const Grid back = parseCsv(toCsv(grid, "t.csv"), "t.csv");
        ASSERT_EQ(back.shape(), grid.shape());
        for (int i = 0; i < 6; ++i) EXPECT_EQ(back.value(i % 3, i / 3), grid.value(i % 3, i / 3)) << nameOf(type) << i;
    }
    EXPECT_EQ(toCsv(Grid({1, 1, 1, 1}, PixelType::u8), "t.csv").back(), '\n');
}

TEST(Csv, RefusesToWriteWhatATableHasNoPlaceFor) {
    for (const Shape& shape : {Shape{2, 2, 3, 1}, Shape{2, 2, 1, 3}})
        EXPECT_THROW(toCsv(Grid(shape, PixelType::u8), "t.csv"), Error);
}

}  // namespace
}  // namespace warplens::io
