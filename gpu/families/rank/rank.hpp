// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::rank {

/// Puts in each pixel's place the value of a given rank in its window: median, percentiles, erosion, dilation.
const Family& family();

}  // namespace warplens::gpu::rank
