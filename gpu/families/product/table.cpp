// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/row.hpp"
#include "gpu/families/product/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::product {
namespace {

// ProductProblem::resolved() says for a product what 0 stands for; of cosines, four products have each their own.
Tunable splits() {
    return tunable("splits", 0, 0, 64,
                   "Blocks among which the terms of a tile of the last turn are split, 0: as the size asks for.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/product/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StagingEntry staging_entry())

const StagingEntry& staging(const DeviceInfo& device) {
    static const Builds<StagingEntry> builds = WARPLENS_BUILDS(staging_entry);
    return *builds.of(device);
}

}  // namespace warplens::gpu::product
