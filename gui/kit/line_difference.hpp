// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace warplens::gui {

/// A row of two texts side by side.
struct DifferenceRow {
    enum class Kind { same, removed, added, changed };
    Kind kind = Kind::same;
    int before = 0, now = 0;  ///< numbers of the lines, from 1; 0: that side has none
    bool operator==(const DifferenceRow&) const = default;
};

/// The longest common subsequence of the lines stays; what is left between two common lines is paired line by line as
/// changed, the rest of the longer side removed or added.
std::vector<DifferenceRow> lineDifference(const QStringList& before, const QStringList& now);

/// A stretch of a line: position and length.
using Stretch = std::pair<int, int>;
/// The words and signs of each line that the other lacks.
struct WordDifference {
    std::vector<Stretch> before, now;
};
WordDifference wordDifference(const QString& before, const QString& now);

}  // namespace warplens::gui
