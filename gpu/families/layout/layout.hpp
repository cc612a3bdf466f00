// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::layout {

/// Moves values and computes none: turns, mirrors, axes in another order, planes and pixels, reads out of step.
const Family& family();

}  // namespace warplens::gpu::layout
