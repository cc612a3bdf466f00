// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::flood {

/// Regions that grow from seeds, level by level: who is reached, and in how many steps.
const Family& family();

}  // namespace warplens::gpu::flood
