// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/product/arguments.hpp"
#include "gpu/kernels/kernel_table.hpp"

namespace warplens::gpu::product {

/// The rows of variants.inc and their kernels.
const KernelTable<KernelEntry>& ladder();

/// What brings pictures into rows of whole quads on a device.
const StagingEntry& staging(const DeviceInfo& device);

}  // namespace warplens::gpu::product
