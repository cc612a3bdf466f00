// SPDX-License-Identifier: Apache-2.0
#include "tests/families/toy/table.hpp"

#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::toy {

#define WARPLENS_VARIANTS "tests/families/toy/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::toy
