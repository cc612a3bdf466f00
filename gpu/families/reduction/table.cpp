// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/reduction/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::reduction {
namespace {

// Powers of two, so that trees halve evenly, and whole warps.
Tunable blockWidth(int fallback) {
    return tunable("block_width", fallback, {64, 128, 256, 512, 1024}, "Threads per block.");
}

Tunable elementsPerThread(int fallback) {
    return tunable("elements_per_thread", fallback, {1, 2, 4, 8, 16, 32, 64, 128}, "Values that one thread takes.");
}

Tunable blocksPerMultiprocessor(int fallback) {
    return tunable("blocks_per_multiprocessor", fallback, 1, 8,
                   "Blocks that are started for each multiprocessor of the device, at most.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/reduction/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::reduction
