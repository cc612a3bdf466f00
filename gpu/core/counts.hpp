// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Counts of one channel. Their sum and below, above and nan make the number of elements, always.
struct CountedChannel {
    std::string name;  ///< "value", "red", "luminance" ...
    std::vector<std::int64_t> bins;
    std::int64_t below = 0, above = 0, nan = 0;
};

/// Counts by bins: the tables "bins" (from, to and a column a channel) and "outside" (channel, below, above, nan).
struct BinnedCounts {
    std::vector<double> edges;  ///< bins + 1, rising: bin k holds edges[k] <= v < edges[k + 1]; NaN where not known
    std::vector<CountedChannel> channels;
};

Tables tablesOf(const BinnedCounts& counts);
/// Null where these tables are not among them.
std::shared_ptr<const BinnedCounts> countsOf(const Tables& tables);

}  // namespace warplens::gpu
