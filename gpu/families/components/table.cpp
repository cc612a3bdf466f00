// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::components {
namespace {

// Lanes vote, so that blocks are whole warps.
Tunable wholeWarps(int fallback) {
    return tunable("block_width", fallback, {32, 64, 128, 256, 512, 1024}, "Threads per block.");
}
Tunable tileWidth(int fallback) { return tunable("block_width", fallback, {16, 32, 64}, "Threads per block along x."); }
Tunable tileHeight(int fallback) { return blockHeight(fallback, {4, 8, 16}); }

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/components/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

const StepsEntry* stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return builds.of(device);
}

}  // namespace warplens::gpu::components
