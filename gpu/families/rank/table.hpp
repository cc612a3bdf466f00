// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/rank/arguments.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::rank {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

}  // namespace warplens::gpu::rank
