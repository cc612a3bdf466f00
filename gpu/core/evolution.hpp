// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu {

struct ResidualPoint {
    std::int64_t iteration = 0;
    double value = 0;
};

/// How an iteration went: the tables "steps" (done, stopped) and "residuals" (iteration, max_change or residual).
struct ConvergenceHistory {
    /// What the values are: the largest change of a cell in that step, or what is left, as a part of the first.
    enum class Measure { change, residual };

    std::int64_t iterations = 0;  ///< steps done
    std::string stopped;          ///< "iterations" or "tolerance"
    std::vector<ResidualPoint> residuals;
    Measure measure = Measure::change;
};

Tables tablesOf(const ConvergenceHistory& evolution);
/// None where these tables are not among them.
std::optional<ConvergenceHistory> evolutionOf(const Tables& tables);

}  // namespace warplens::gpu
