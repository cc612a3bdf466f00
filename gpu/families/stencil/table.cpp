// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/row.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::stencil {
namespace {

Tunable blockDepth(int fallback) {
    return tunable("block_depth", fallback, 1, 64, "Threads per block along z, in 3D alone.");
}

Tunable outputsPerThread(int fallback, std::vector<int> choices) {
    return gpu::outputsPerThread(fallback, std::move(choices),
                                 "Cells of a slice that one thread computes, in 3D alone.");
}

Tunable planesPerBlock(int fallback) {
    return tunable("planes_per_block", fallback, 1, 65536, "Slices that one thread marches through, in 3D alone.");
}

Tunable rowsPerThread(int fallback) {
    return gpu::rowsPerThread(fallback, "Rows that one thread marches down, in 2D alone.");
}

Tunable stepsPerLaunch(int fallback) {
    return tunable("steps_per_launch", fallback, {1, 2, 3, 4, 5, 6, 8, 10},
                   "Steps fused into one pass at most; 3D takes up to 5 of them.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/stencil/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(FieldEntry fieldEntryOfBuild())

const FieldEntry& fieldEntry(const DeviceInfo& device) {
    static const Builds<FieldEntry> builds = WARPLENS_BUILDS(fieldEntryOfBuild);
    return *builds.of(device);
}

}  // namespace warplens::gpu::stencil
