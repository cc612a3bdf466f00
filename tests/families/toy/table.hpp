// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/kernel_table.hpp"
#include "tests/families/toy/arguments.hpp"

namespace warplens::gpu::toy {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

}  // namespace warplens::gpu::toy
