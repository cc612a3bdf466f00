// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/histogram/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::histogram {
namespace {

Tunable blockWidth(int fallback, std::vector<int> choices) {
    return tunable("block_width", fallback, std::move(choices), "Threads per block.");
}

// Whole warps, so that lanes are neighbours in every block.
Tunable blockWidth(int fallback) { return blockWidth(fallback, {32, 64, 128, 256, 512, 1024}); }

Tunable elementsPerThread(int fallback) {
    return tunable("elements_per_thread", fallback, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
                   "Values that one thread counts.");
}

Tunable blocksPerMultiprocessor(int fallback) {
    return tunable("blocks_per_multiprocessor", fallback, 1, 8,
                   "Blocks that are started for each multiprocessor of the device.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/histogram/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::histogram
