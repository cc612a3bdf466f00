// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/parameter.hpp"

#include <vector>

namespace warplens::gpu::product {

/// What the user may choose for a product. Ids: task, with, keep.
const std::vector<Parameter>& parameters();

}  // namespace warplens::gpu::product
