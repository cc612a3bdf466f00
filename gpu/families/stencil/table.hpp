// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/arguments.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::stencil {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

/// Residual and held regions.
const FieldEntry& fieldEntry(const DeviceInfo& device);

}  // namespace warplens::gpu::stencil
