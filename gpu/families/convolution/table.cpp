// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/opencl/row.hpp"
#include "gpu/families/convolution/problem.hpp"
#include "gpu/kernels/tunables.hpp"

namespace warplens::gpu::convolution {
namespace {

Tunable rowsPerThread(int fallback) {
    return gpu::rowsPerThread(
        fallback,
        "Rows that one thread computes, marching down; fewer on a small picture unless they are set. In three "
        "dimensions: the most slices.");
}

Tunable columnsPerThread(int fallback) {
    return tunable("columns_per_thread", fallback, 1, 256,
                   "Outputs side by side that one thread computes, a block apart.");
}

}  // namespace

#define WARPLENS_VARIANTS "gpu/families/convolution/variants.inc"
#include "gpu/kernels/kernel_table.inc"

}  // namespace warplens::gpu::convolution
