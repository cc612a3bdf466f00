// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::components {

/// Connected regions of pixels above a level: each gets a number and a row of a table.
const Family& family();

}  // namespace warplens::gpu::components
