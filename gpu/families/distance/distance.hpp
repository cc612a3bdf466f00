// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::distance {

/// How far each pixel is from the nearest one at or below a level.
const Family& family();

}  // namespace warplens::gpu::distance
