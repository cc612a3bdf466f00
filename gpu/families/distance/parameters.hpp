// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::distance {

/// What the user may choose. Ids: level, squared, spacing.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::distance
