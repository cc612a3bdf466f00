// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::convolution {

/// What the user may choose for a convolution. Ids: filter, matrix, radius, sigma, angle, amount, dimensions, border,
/// output-type, offset, normalise, alpha.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::convolution
