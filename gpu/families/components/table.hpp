// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/components/arguments.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::components {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

/// What follows a forest of pixels, as built for a device; null when there is no such build.
const StepsEntry* stepsOf(const DeviceInfo& device);

}  // namespace warplens::gpu::components
