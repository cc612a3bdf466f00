// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::layout {

/// What the user may choose for a layout. Ids: task, order, step.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::layout
