// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

namespace warplens::gpu::scan {

/// Running sums, and what is made of them: integral pictures, means of any window, equalised pictures, lists of pixels.
const Family& family();

}  // namespace warplens::gpu::scan
