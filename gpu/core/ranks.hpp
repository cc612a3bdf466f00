// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace warplens::gpu {

/// Values by their place in order, exact whatever their range.
struct Ranked {
    std::int64_t finite = 0, nan = 0, positiveInfinity = 0, negativeInfinity = 0;  ///< values of each kind
    std::vector<double> at{};            ///< a value a rank asked for; empty when nothing is finite
    std::vector<std::int64_t> counts{};  ///< of 8 and 16 bits: how often each value is there, from 0
};
/// The ranks asked for, from 0, of so many finite values (1 or more).
using RanksOf = std::function<std::vector<std::int64_t>(std::int64_t finite)>;

/// Of the finite values of `channels` channels from `first` on, taken together. Counts instead of sorting: one pass of
/// 8 and 16 bits, two of 32. Throws Error(cancelled).
Ranked valuesAtRanks(const io::Grid& values, int first, int channels, const RanksOf& ranks,
                     const std::stop_token& stop = {});

}  // namespace warplens::gpu
