// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/sparse/arguments.hpp"
#include "gpu/families/sparse/solving.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::sparse {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

/// What builds matrices on a device.
const BuildingEntry& building(const DeviceInfo& device);

}  // namespace warplens::gpu::sparse
