// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::convolution {

/// Filters pictures with a matrix of weights, as correlation. On a volume the filter works slice by slice, or
/// in three dimensions.
const Family& family();

}  // namespace warplens::gpu::convolution
