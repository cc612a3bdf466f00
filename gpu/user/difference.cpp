// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/difference.hpp"

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <set>
#include <span>

namespace warplens::gpu::user {

namespace {

using Numbers = std::span<const int>;
using Pairs = std::vector<std::pair<int, int>>;

/// More cells are no table: the texts are split instead, for twice the time.
constexpr std::size_t kMostCells = 16 << 20;

/// By the lengths of `b`'s beginnings: how much of `a` they have in common.
template <class A, class B>
std::vector<int> commonLengths(const A& a, const B& b) {
    std::vector<int> row(static_cast<std::size_t>(std::ranges::distance(b)) + 1, 0);
    for (const int one : a) {
        int diagonal = 0;
        std::size_t j = 0;
        for (const int other : b) {
            ++j;
            const int above = row[j];
            row[j] = one == other ? diagonal + 1 : std::max(above, row[j - 1]);
            diagonal = above;
        }
    }
    return row;
}

void addCommon(Numbers a, Numbers b, int atA, int atB, Pairs& pairs) {
    if (a.empty() || b.empty()) return;
    const std::size_t rows = a.size(), columns = b.size();
    if (rows > 1 && rows * columns > kMostCells) {  // Hirschberg
        const std::size_t half = rows / 2;
        const auto ahead = commonLengths(a.first(half), b);
        const auto behind = commonLengths(std::views::reverse(a.subspan(half)), std::views::reverse(b));
        std::size_t split = 0;
        for (std::size_t j = 0; j <= columns; ++j)
            if (ahead[j] + behind[columns - j] > ahead[split] + behind[columns - split]) split = j;
        addCommon(a.first(half), b.first(split), atA, atB, pairs);
        addCommon(a.subspan(half), b.subspan(split), atA + static_cast<int>(half), atB + static_cast<int>(split),
                  pairs);
        return;
    }
    std::vector<int> longest((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return longest[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (a[i] == b[j])
            pairs.emplace_back(atA + static_cast<int>(i++), atB + static_cast<int>(j++));
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
}

/// Names and numbers whole, every other sign alone, blanks together.
std::vector<std::u16string_view> wordsOf(std::u16string_view line) {
    std::vector<std::u16string_view> words;
    const auto kindOf = [](char16_t c) {
        const bool letter = (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
        return letter || c == u'_' || c > 0xBF ? 0 : c == u' ' || c == u'\t' ? 1 : 2;
    };
    for (std::size_t i = 0, from = 0; i < line.size(); ++i) {
        const bool joins = i + 1 < line.size() && kindOf(line[i]) == kindOf(line[i + 1]) && kindOf(line[i]) != 2;
        if (joins) continue;
        words.push_back(line.substr(from, i + 1 - from));
        from = i + 1;
    }
    return words;
}

}  // namespace

std::vector<std::pair<int, int>> commonPlaces(const std::vector<int>& before, const std::vector<int>& now) {
    Pairs pairs;
    addCommon(before, now, 0, 0, pairs);
    return pairs;
}

std::vector<DifferenceRow> rowsBetween(const Pairs& common, std::size_t before, std::size_t now) {
    using Kind = DifferenceRow::Kind;
    std::vector<DifferenceRow> rows;
    const int ends[] = {static_cast<int>(before), static_cast<int>(now)};
    int i = 0, j = 0;
    const auto upTo = [&](int oldAt, int newAt) {
        while (i < oldAt && j < newAt) rows.push_back({Kind::changed, ++i, ++j});
        while (i < oldAt) rows.push_back({Kind::removed, ++i, 0});
        while (j < newAt) rows.push_back({Kind::added, 0, ++j});
    };
    for (const auto& [oldAt, newAt] : common) {
        upTo(oldAt, newAt);
        rows.push_back({Kind::same, ++i, ++j});
    }
    upTo(ends[0], ends[1]);
    return rows;
}

WordDifference wordDifference(std::u16string_view before, std::u16string_view now) {
    const auto old = wordsOf(before), words = wordsOf(now);
    std::set<std::pair<int, bool>> kept;
    for (const DifferenceRow& row : lineDifference(old, words))
        if (row.kind == DifferenceRow::Kind::same) {
            kept.emplace(row.before - 1, true);
            kept.emplace(row.now - 1, false);
        }
    const auto lacking = [&kept](const std::vector<std::u16string_view>& all, bool isOld) {
        std::vector<Stretch> stretches;
        int place = 0, number = 0;
        for (const auto word : all) {
            const int length = static_cast<int>(word.size());
            if (!kept.contains({number++, isOld})) {
                if (!stretches.empty() && stretches.back().first + stretches.back().second == place)
                    stretches.back().second += length;
                else
                    stretches.emplace_back(place, length);
            }
            place += length;
        }
        return stretches;
    };
    return {lacking(old, true), lacking(words, false)};
}

}  // namespace warplens::gpu::user
