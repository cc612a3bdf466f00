// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::scan {

/// What the user may choose for running sums. Ids: task, along, kind, radius, offset, clip, tiles, level.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::scan
