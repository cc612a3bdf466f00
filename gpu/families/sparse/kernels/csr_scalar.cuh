// SPDX-License-Identifier: Apache-2.0
// Idea: one thread, one row: no atomics, and rows are told by where they start, 8 bytes per nonzero.
// Changed from coo: a row's sum stays in a register.
// Needs: nothing.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 14.3; Bell and Garland, SC 2009.
// Look at: sectors per request: the threads of a warp are a row's length apart, and wait for the longest of 32 rows.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void csrScalar(Operands<V> o) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    V sum = 0;
    for (int i = o.starts[row]; i < o.starts[row + 1]; ++i) sum += o.values[i] * o.x[o.columns[i]];
    o.y[row] = sum;
}

inline void launchCsrScalar(LaunchContext& c, const Product& p, const TunableValues& t) {
    launch(c, &csrScalar<float>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0, operandsOf(c, p));
}

KernelEntry csr_scalar_entry() {
    return {.multiply = &launchCsrScalar, .footprint = &rowPerThread, .format = Format::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
