// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/problem.hpp"
#include "gpu/families/sparse/solving.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::sparse {
namespace {

Tunable blockOfRows() { return tunable("block_width", 256, {64, 128, 256, 512, 1024}, "Threads per block."); }

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/sparse/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(BuildingEntry building_entry())
WARPLENS_DECLARE_BUILDS(SolvingEntry solving_entry())
WARPLENS_DECLARE_BUILDS(CyclingEntry cycling_entry())

const BuildingEntry& building(const DeviceInfo& device) {
    static const Builds<BuildingEntry> builds = WARPLENS_BUILDS(building_entry);
    return *builds.of(device);
}

const SolvingEntry& solving(const DeviceInfo& device) {
    static const Builds<SolvingEntry> builds = WARPLENS_BUILDS(solving_entry);
    return *builds.of(device);
}

const CyclingEntry& cycling(const DeviceInfo& device) {
    static const Builds<CyclingEntry> builds = WARPLENS_BUILDS(cycling_entry);
    return *builds.of(device);
}

}  // namespace warplens::gpu::sparse
