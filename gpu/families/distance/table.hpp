// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/distance/arguments.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::distance {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

}  // namespace warplens::gpu::distance
