// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens::gpu::user {

/// A row of two texts side by side.
struct DifferenceRow {
    enum class Kind { same, removed, added, changed };
    Kind kind = Kind::same;
    int before = 0, now = 0;  ///< numbers of the lines, from 1; 0: that side has none
    bool operator==(const DifferenceRow&) const = default;
};

/// Places of a longest common subsequence of two sequences of numbers, in order, from 0. Time grows with the product
/// of their lengths.
std::vector<std::pair<int, int>> commonPlaces(const std::vector<int>& before, const std::vector<int>& now);

/// The common lines stay; what is left between two of them is paired line by line as changed, the rest of the longer
/// side removed or added.
std::vector<DifferenceRow> rowsBetween(const std::vector<std::pair<int, int>>& common, std::size_t before,
                                       std::size_t now);

/// The same of anything that can be put in order, as lists of texts.
template <class Lines>
std::vector<DifferenceRow> lineDifference(const Lines& before, const Lines& now) {
    std::map<typename Lines::value_type, int> numbers;
    const auto numbered = [&numbers](const Lines& lines) {
        std::vector<int> ids;
        for (const auto& line : lines)
            ids.push_back(numbers.emplace(line, static_cast<int>(numbers.size())).first->second);
        return ids;
    };
    const std::vector<int> old = numbered(before), fresh = numbered(now);
    return rowsBetween(commonPlaces(old, fresh), old.size(), fresh.size());
}

/// A stretch of a line: position and length.
using Stretch = std::pair<int, int>;
/// The words and signs of each line that the other lacks.
struct WordDifference {
    std::vector<Stretch> before, now;
};
WordDifference wordDifference(std::u16string_view before, std::u16string_view now);

}  // namespace warplens::gpu::user
