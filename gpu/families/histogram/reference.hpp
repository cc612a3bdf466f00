// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/counts.hpp"
#include "gpu/families/histogram/edges.hpp"
#include "io/grid.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu::histogram {

/// The definition: every value of every channel is searched among the edges in double precision. Independent of the
/// kernels: no table, no guess. `names` has one entry a channel. Throws Error(cancelled).
BinnedCounts countExactly(const io::Grid& values, const Edges& edges, const std::vector<std::string>& names,
                          std::stop_token stop);

}  // namespace warplens::gpu::histogram
