// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/families/reduction/arguments.hpp"
#include "gpu/families/reduction/cells.hpp"
#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu::reduction {

/// A row of the table of statistics. Of integers `sum` is exact, and `total` the same.
struct ChannelStatistics {
    std::int64_t count = 0, nan = 0;
    double minimum = 0, maximum = 0;
    std::int64_t minimumAt = -1, maximumAt = -1;  ///< pixels from the first; -1: there is none
    std::int64_t total = 0;
    double sum = 0, mean = 0, variance = 0;
};

/// A row of the table of a comparison.
struct ChannelComparison {
    double dot = 0;
    std::int64_t exactDot = 0;  ///< of integers
    double maxAbs = 0, meanAbs = 0, rmse = 0, psnr = 0;
    std::int64_t mismatches = 0;
};

/// "value"; or "red", "green", "blue", "alpha".
std::vector<std::string> channelNames(const io::Shape& shape);

/// The figures that follow from a cell of `count` values, as a device left it.
ChannelStatistics figuresOf(const IntegerStatistics& cell, std::int64_t count);
ChannelStatistics figuresOf(const FloatStatistics& cell, std::int64_t count);
ChannelComparison figuresOf(const IntegerComparison& cell, std::int64_t count, double peak);
ChannelComparison figuresOf(const FloatComparison& cell, std::int64_t count);

/// (n sum of squares - sum^2) / n^2, exact but for the last roundings; 0 where n is 0.
double varianceOf(std::uint64_t n, std::uint64_t sum, std::uint64_t squares);
/// In dB; infinite where nothing differs.
double psnrOf(double peak, double rmse);

/// A row a channel: channel, count, nan, minimum, minimum_x, _y, _z, maximum, maximum_x, _y, _z, sum, mean, variance.
/// Minimum, maximum and sum of integers are integers.
Table statisticsTable(const std::vector<ChannelStatistics>& channels, const io::Shape& shape, bool floats);
/// A row a channel: channel, dot, max_abs, mean_abs, rmse, psnr, mismatches. The first two of integers are integers.
Table comparisonTable(const std::vector<ChannelComparison>& channels, const io::Shape& shape, bool floats);

}  // namespace warplens::gpu::reduction
