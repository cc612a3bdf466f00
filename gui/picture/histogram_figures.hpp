// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/core/result.hpp"

#include <QString>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// Values v with low <= v < high.
struct ValueRange {
    double low = 0, high = 0;
    bool operator==(const ValueRange&) const = default;
    bool contains(double v) const { return low <= v && v < high; }
};

/// Number of bins.
int binsOf(const gpu::BinnedCounts& histogram);
/// The bin that holds a value, or -1: below, above or not a number.
int binOf(const gpu::BinnedCounts& histogram, double value);
/// Bins `first` to `last`, both included, as values; either order.
ValueRange rangeOfBins(const gpu::BinnedCounts& histogram, int first, int last);
/// Counts of the bins that lie in the range altogether.
std::int64_t countIn(const gpu::BinnedCounts& histogram, std::size_t channel, const ValueRange& range);
/// Bins, below, above and NaN together: every element once.
std::int64_t elementsOf(const gpu::CountedChannel& channel);
/// For every edge, the share of the channels' numbers (NaN left out) that lie below it. Empty when nothing is shown.
std::vector<double> cumulativeShares(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown);
/// The largest count of a bin in the channels shown.
std::int64_t highestCount(const gpu::BinnedCounts& histogram, const std::vector<bool>& shown);

/// "196 ≤ v < 224".
QString rangeText(const ValueRange& range);
/// The counts as a table, tab-separated: low edge, high edge, a column a channel; then below, above and NaN.
QString countsTable(const gpu::BinnedCounts& histogram);

}  // namespace warplens::gui
