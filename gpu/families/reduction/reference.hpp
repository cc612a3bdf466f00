// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/reduction/arguments.hpp"
#include "gpu/families/reduction/figures.hpp"

#include <stop_token>

namespace warplens::gpu::reduction {

/// A channel by the definition, in long double and in exact integers, and what bounds are made of.
struct ExactStatistics {
    ChannelStatistics figures;
    double magnitude = 0;  ///< sum of |x|
};
struct ExactComparison {
    ChannelComparison figures;
    double magnitude = 0;  ///< sum of |a b|
    std::int64_t count = 0;
};

/// All throw Error(cancelled).
ExactStatistics exactStatistics(const io::Grid& picture, int channel, const std::stop_token& stop);
ExactComparison exactComparison(const io::Grid& picture, const io::Grid& with, int channel,
                                const std::stop_token& stop);

}  // namespace warplens::gpu::reduction
