// SPDX-License-Identifier: Apache-2.0
// Who checks the check of tables: each value is made wrong on purpose.
#include "gpu/core/table_judge.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

Table some() {
    Table table{"some", "Some", {}};
    table.columns.push_back({.id = "name", .values = Column::Texts{"red", "green", "blue"}});
    table.columns.push_back({.id = "count", .values = Column::Integers{1, (std::int64_t{1} << 62) + 1, -3}});
    table.columns.push_back({.id = "mean", .values = Column::Reals{0.5, kNan, kInfinity}});
    return table;
}

Verification judged(const Table& got, const TableJudge::Bounds& bounds = {}) {
    TableJudge judge;
    judge.compare(got, some(), bounds);
    return judge.result();
}

TEST(TableJudge, FindsEveryValueThatIsWrong) {
    EXPECT_EQ(judged(some()).mismatches, 0) << judged(some()).firstMismatch;
    EXPECT_EQ(judged(some()).checkedShare, 1);
    for (std::size_t row = 0; row < 3; ++row) {
        Table wrong = some();
        std::get<Column::Texts>(wrong.columns[0].values)[row] = "grey";
        EXPECT_EQ(judged(wrong).mismatches, 1);
        for (const int by : {1, -1}) {
            wrong = some();
            // As doubles the large ones would be the same.
            std::get<Column::Integers>(wrong.columns[1].values)[row] += by;
            EXPECT_EQ(judged(wrong).mismatches, 1);
        }
        for (const double value : {0.5000000001, -kInfinity, -0.5}) {
            wrong = some();
            std::get<Column::Reals>(wrong.columns[2].values)[row] = value;
            EXPECT_EQ(judged(wrong).mismatches, 1) << row << ' ' << value;
        }
    }
    Table wrong = some();
    std::get<Column::Reals>(wrong.columns[2].values)[0] = kNan;
    EXPECT_EQ(judged(wrong).mismatches, 1);
    std::get<Column::Reals>(wrong.columns[2].values)[0] = 0.75;
    EXPECT_EQ(judged(wrong).firstMismatch, "red mean: 0.75 instead of 0.5");
    EXPECT_EQ(judged(wrong).maxAbsError, 0.25);
}

TEST(TableJudge, AllowsWhatABoundAllowsAndNoMore) {
    Table near = some();
    std::get<Column::Reals>(near.columns[2].values)[0] = 0.75;
    std::get<Column::Integers>(near.columns[1].values)[2] = -5;
    EXPECT_EQ(judged(near).mismatches, 2);
    EXPECT_EQ(judged(near, {{"mean", {0.25, 0, 0}}, {"count", {0, 0, 2}}}).mismatches, 0);
    EXPECT_EQ(judged(near, {{"mean", {0.24, 9, 9}}, {"count", {9, 9, 1}}}).mismatches, 2);
    EXPECT_EQ(judged(near, {{"mean", {kNan, 9, 9}}, {"count", {0, 0, 2}}}).mismatches, 1);
    EXPECT_EQ(judged(near, {{"mean", {0.25, 0, 0}}, {"count", {0, 0, 2}}}).bound, 2);
}

TEST(TableJudge, FindsOtherColumnsTypesAndRows) {
    const auto expectWrong = [](Table wrong) { EXPECT_EQ(judged(wrong).mismatches, 1) << judged(wrong).firstMismatch; };
    Table wrong = some();
    wrong.id = "other";
    expectWrong(wrong);
    wrong = some();
    wrong.columns.pop_back();
    expectWrong(wrong);
    wrong = some();
    std::swap(wrong.columns[1], wrong.columns[2]);
    expectWrong(wrong);
    wrong = some();
    wrong.columns[1].values = Column::Reals{1, 2, 3};
    expectWrong(wrong);
    for (std::size_t column = 0; column < 3; ++column) {
        wrong = some();
        std::visit([](auto& values) { values.pop_back(); }, wrong.columns[column].values);
        expectWrong(wrong);
    }
}

}  // namespace
}  // namespace warplens::gpu
