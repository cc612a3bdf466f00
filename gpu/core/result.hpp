// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Counts of one channel. Their sum and below, above and nan make the number of elements, always.
struct HistogramChannel {
    std::string name;  ///< "value", "red", "luminance" ...
    std::vector<std::int64_t> bins;
    std::int64_t below = 0, above = 0, nan = 0;
};

struct HistogramResult {
    std::vector<double> edges;  ///< bins + 1, rising: bin k holds edges[k] <= v < edges[k + 1]
    std::vector<HistogramChannel> channels;
};

struct ResidualPoint {
    std::int64_t iteration = 0;
    double value = 0;  ///< largest change of a cell in that step
};

/// How an iteration went.
struct Evolution {
    std::int64_t iterations = 0;  ///< steps done
    std::string stopped;          ///< "iterations" or "tolerance"
    std::vector<ResidualPoint> residuals;
};

/// What a variant computed: a family fills what it has.
struct Result {
    std::shared_ptr<const io::Grid> picture;  ///< null for families that make none
    std::shared_ptr<const HistogramResult> histogram;
    std::shared_ptr<const Evolution> evolution;

    bool empty() const { return picture == nullptr && histogram == nullptr; }
};

}  // namespace warplens::gpu
