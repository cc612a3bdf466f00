// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::reduction {

/// What the user may choose for a reduction. Ids: measure, with, along, keep.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::reduction
