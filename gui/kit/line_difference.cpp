// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/line_difference.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

/// Pairs of places of a longest common subsequence, in order. Time and memory grow with the product of the lengths: a
/// kernel's file has some hundred lines.
std::vector<std::pair<int, int>> common(const QStringList& a, const QStringList& b) {
    const auto rows = static_cast<std::size_t>(a.size()), columns = static_cast<std::size_t>(b.size());
    std::vector<int> longest((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return longest[i * (columns + 1) + j]; };
    const auto equal = [&](std::size_t i, std::size_t j) { return a[static_cast<int>(i)] == b[static_cast<int>(j)]; };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) = equal(i, j) ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (equal(i, j))
            pairs.emplace_back(static_cast<int>(i++), static_cast<int>(j++));
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
    return pairs;
}

/// Names and numbers whole, every other sign alone, blanks together.
QStringList wordsOf(const QString& line) {
    QStringList words;
    const auto kindOf = [](QChar c) { return c.isLetterOrNumber() || c == u'_' ? 0 : c.isSpace() ? 1 : 2; };
    for (qsizetype i = 0; i < line.size(); ++i) {
        const bool joins = i > 0 && kindOf(line[i]) == kindOf(line[i - 1]) && kindOf(line[i]) != 2;
        if (joins)
            words.back() += line[i];
        else
            words << QString(line[i]);
    }
    return words;
}

}  // namespace

std::vector<DifferenceRow> lineDifference(const QStringList& before, const QStringList& now) {
    using Kind = DifferenceRow::Kind;
    std::vector<DifferenceRow> rows;
    int i = 0, j = 0;
    auto pairs = common(before, now);
    pairs.emplace_back(static_cast<int>(before.size()), static_cast<int>(now.size()));
    for (const auto& [oldAt, newAt] : pairs) {
        while (i < oldAt && j < newAt) rows.push_back({Kind::changed, ++i, ++j});
        while (i < oldAt) rows.push_back({Kind::removed, ++i, 0});
        while (j < newAt) rows.push_back({Kind::added, 0, ++j});
        if (i < before.size() && j < now.size()) rows.push_back({Kind::same, ++i, ++j});
    }
    return rows;
}

WordDifference wordDifference(const QString& before, const QString& now) {
    const QStringList old = wordsOf(before), words = wordsOf(now);
    const auto pairs = common(old, words);
    const auto lacking = [](const QStringList& all, const auto& kept) {
        std::vector<Stretch> stretches;
        int place = 0;
        for (int k = 0; k < all.size(); place += static_cast<int>(all[k++].size())) {
            if (kept(k)) continue;
            if (!stretches.empty() && stretches.back().first + stretches.back().second == place)
                stretches.back().second += static_cast<int>(all[k].size());
            else
                stretches.emplace_back(place, static_cast<int>(all[k].size()));
        }
        return stretches;
    };
    return {
        lacking(old,
                [&](int k) { return std::ranges::any_of(pairs, [k](const auto& pair) { return pair.first == k; }); }),
        lacking(words,
                [&](int k) { return std::ranges::any_of(pairs, [k](const auto& pair) { return pair.second == k; }); })};
}

}  // namespace warplens::gui
