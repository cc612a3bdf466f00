// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/flood/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::flood {
namespace {

Tunable threads(int fallback) {
    return tunable("block_width", fallback, {64, 128, 256, 512, 1024}, "Threads per block.");
}

Tunable warpsOfTiles(int fallback) {
    return tunable("block_width", fallback, {32, 64, 128, 256}, "Threads per block; 32 flood a tile.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/flood/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

const StepsEntry* stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return builds.of(device);
}

}  // namespace warplens::gpu::flood
