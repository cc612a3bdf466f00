// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::merge {
namespace {

// Whole warps; and two at least, as two diagonals are searched side by side.
Tunable blockWidth(int fallback) {
    return tunable("block_width", fallback, {64, 128, 256, 512, 1024}, "Threads per block.");
}

Tunable runOfThread(int fallback) {
    return outputsPerThread(fallback, {2, 4, 8, 16, 32}, "Outputs that one thread merges.");
}

// Of a sort's passes the fewer, so that its tiles are theirs; MergeProblem::resolved().
Tunable elementsPerThread() {
    return tunable("elements_per_thread", 23, {15, 23}, "Values that one thread merges in registers.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/merge/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

const StepsEntry* stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return builds.of(device);
}

}  // namespace warplens::gpu::merge
