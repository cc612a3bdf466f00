// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/scan/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::scan {
namespace {

// Powers of two, so that trees halve evenly, and whole warps.
Tunable blockWidth(int fallback) {
    return tunable("block_width", fallback, {32, 64, 128, 256, 512, 1024}, "Threads per block.");
}

// A thread keeps more values than registers of a larger block would hold.
Tunable blockWidthUpTo512(int fallback) {
    return tunable("block_width", fallback, {32, 64, 128, 256, 512}, "Threads per block.");
}

Tunable elementsPerThread(int fallback) {
    return tunable("elements_per_thread", fallback, {1, 2, 4, 8, 16, 32}, "Values that one thread takes.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/scan/variants.inc"
#include "gpu/kernels/kernel_table.inc"

WARPLENS_DECLARE_BUILDS(StepsEntry steps_entry())

const StepsEntry* stepsOf(const DeviceInfo& device) {
    static const Builds<StepsEntry> builds = WARPLENS_BUILDS(steps_entry);
    return builds.of(device);
}

}  // namespace warplens::gpu::scan
