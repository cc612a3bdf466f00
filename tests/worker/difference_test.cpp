// SPDX-License-Identifier: Apache-2.0
// What differs between two texts.
#include "gpu/user/difference.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace warplens::gpu::user {
namespace {

using RowKind = DifferenceRow::Kind;
using Lines = std::vector<std::string>;

TEST(LineDifference, PairsWhatChangedAndKeepsTheRest) {
    EXPECT_TRUE(lineDifference(Lines{}, Lines{}).empty());
    EXPECT_EQ(lineDifference(Lines{"a", "b"}, Lines{"a", "b"}),
              (std::vector<DifferenceRow>{{RowKind::same, 1, 1}, {RowKind::same, 2, 2}}));
    EXPECT_EQ(lineDifference(Lines{"a", "b", "c"}, Lines{"a", "c"}),
              (std::vector<DifferenceRow>{{RowKind::same, 1, 1}, {RowKind::removed, 2, 0}, {RowKind::same, 3, 2}}));
    EXPECT_EQ(lineDifference(Lines{"a", "c"}, Lines{"a", "b", "c"}),
              (std::vector<DifferenceRow>{{RowKind::same, 1, 1}, {RowKind::added, 0, 2}, {RowKind::same, 2, 3}}));
    EXPECT_EQ(lineDifference(Lines{"x", "b"}, Lines{"y", "z", "b"}),
              (std::vector<DifferenceRow>{{RowKind::changed, 1, 1}, {RowKind::added, 0, 2}, {RowKind::same, 2, 3}}));
}

TEST(LineDifference, BothTextsCanBeReadBackFromIt) {
    // Every pair of words of up to four letters of two.
    std::vector<Lines> texts;
    for (int length = 0; length <= 4; ++length) {
        for (int bits = 0; bits < 1 << length; ++bits) {
            Lines text;
            for (int i = 0; i < length; ++i) text.emplace_back((bits >> i & 1) != 0 ? "b" : "a");
            texts.push_back(text);
        }
    }
    for (const Lines& before : texts) {
        for (const Lines& now : texts) {
            Lines old, fresh;
            std::size_t stay = 0;
            for (const DifferenceRow& row : lineDifference(before, now)) {
                if (row.before > 0) old.push_back(before[static_cast<std::size_t>(row.before - 1)]);
                if (row.now > 0) fresh.push_back(now[static_cast<std::size_t>(row.now - 1)]);
                EXPECT_EQ(row.before > 0 && row.now > 0, row.kind == RowKind::same || row.kind == RowKind::changed);
                if (row.kind != RowKind::same) continue;
                ++stay;
                EXPECT_EQ(old.back(), fresh.back());
            }
            EXPECT_EQ(old, before);
            EXPECT_EQ(fresh, now);
            if (before == now) {
                EXPECT_EQ(stay, before.size());
            }
        }
    }
}

TEST(LineDifference, NamesTheWordsThatChanged) {
    const WordDifference words = wordDifference(u"  sum += tile[y][x];", u"  sum += in.at(x, y);");
    EXPECT_EQ(words.before.front(), (Stretch{9, 8})) << "tile[y][";
    EXPECT_FALSE(words.now.empty());
    const WordDifference one = wordDifference(u"int radius = 2;", u"int radius = 31;");
    EXPECT_EQ(one.before, (std::vector<Stretch>{{13, 1}}));
    EXPECT_EQ(one.now, (std::vector<Stretch>{{13, 2}}));
}

TEST(LineDifference, IsTheSameLengthWhereTheTextsAreTooLongForATable) {
    // Beyond 16 million pairs of lines they are split.
    Lines before, now;
    for (int i = 0; i < 5000; ++i) {
        before.push_back(std::to_string(i));
        now.push_back(i % 10 == 3 ? "other" : std::to_string(i));
    }
    const auto rows = lineDifference(before, now);
    EXPECT_EQ(std::ranges::count(rows, RowKind::same, &DifferenceRow::kind), 4500);
    EXPECT_EQ(std::ranges::count(rows, RowKind::changed, &DifferenceRow::kind), 500);
    EXPECT_EQ(rows.size(), 5000U);
}

}  // namespace
}  // namespace warplens::gpu::user
