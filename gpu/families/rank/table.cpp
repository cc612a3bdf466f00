// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::rank {
namespace {

Tunable rowsPerThread(int fallback) {
    return gpu::rowsPerThread(
        fallback, "Rows that one thread computes, marching down; fewer on a small picture unless they are set.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/rank/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

const StepsEntry* stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return builds.of(device);
}

}  // namespace warplens::gpu::rank
