// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::rank {

/// What the user may choose for a rank filter. Ids: radius, percentile, shape, dimensions, border, alpha.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::rank
