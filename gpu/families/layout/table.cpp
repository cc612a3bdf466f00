// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::layout {

#define WARPLENS_VARIANTS "gpu/families/layout/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::layout
