// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::stencil {

/// What the user may choose for a stencil iteration. Ids: stencil, dimensions, iterations, diffusivity, step, force,
/// amount, coefficients, weights27, regions, tolerance, residual-every, output-type, alpha.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::stencil
