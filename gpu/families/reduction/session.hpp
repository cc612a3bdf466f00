// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/reduction/problem.hpp"

namespace warplens::gpu::reduction {

/// Between cells of two channels.
constexpr std::size_t kCellStride = 64;

/// The table that follows from the cells of all channels, kCellStride apart.
Table tableOf(const ReductionProblem& problem, const std::vector<std::byte>& cells);

}  // namespace warplens::gpu::reduction
