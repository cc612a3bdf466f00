// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <stop_token>

namespace warplens::gpu::histogram {

/// Figures of one channel, from the values themselves, not from bins. All but the counts are of finite values alone.
struct Statistics {
    std::int64_t count = 0;  ///< of all values
    std::int64_t finite = 0, nan = 0, positiveInfinity = 0, negativeInfinity = 0;
    double minimum = 0, maximum = 0;
    double mean = 0;
    double deviation = 0;  ///< standard deviation of the values themselves: divided by their number
    /// Linear between the two nearest ranks, as numpy's percentile.
    double median = 0;
    static constexpr std::array<double, 4> kPercentiles{5, 25, 75, 95};
    std::array<double, 4> percentiles{};
};

/// Of one channel of `values`, in the type's own unit. Where nothing is finite, the figures stay 0. Throws
/// Error(cancelled).
Statistics statisticsOf(const io::Grid& values, int channel, const std::stop_token& stop = {});

}  // namespace warplens::gpu::histogram
