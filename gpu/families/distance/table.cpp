// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/distance/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::distance {
namespace {

// Whole warps: lines are shared by their lanes.
Tunable wholeWarps(int fallback) {
    return tunable("block_width", fallback, {32, 64, 128, 256, 512, 1024},
                   "Threads per block; where a block takes a row fitted to its length, unless set.");
}

Tunable firstPass(int fallback) {
    return tunable("first_pass", fallback, {0, 1},
                   "1: a pass over direct neighbours comes before the first far one (1+JFA), for fewer wrong pixels.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/distance/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::distance
