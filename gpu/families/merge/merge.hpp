// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::merge {

/// Sorted lists made one: merging, sorting by merging, and quantiles of what is sorted.
const Family& family();

}  // namespace warplens::gpu::merge
