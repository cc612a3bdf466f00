// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::histogram {

constexpr int kMostBins = 65536;

/// What the user may choose for a histogram. Ids: bins, bin-width, range, channels, region, mask.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::histogram
