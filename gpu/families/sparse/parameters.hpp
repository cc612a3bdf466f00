// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::sparse {

/// What the user may choose for a sparse matrix. Ids: task, matrix, mask, source, at,
/// solver, tolerance, iterations, k, step.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::sparse
