// SPDX-License-Identifier: Apache-2.0
// Idea: one thread, one column: its value of the vector is loaded once and added to the sums of the column's rows.
// Changed from coo: columns are told by where they start, 8 bytes per nonzero; the vector is read in order.
// Needs: sums that are zero before.
// Block: block_width threads, no shared memory.
// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., section 3.4.
// Look at: atomics, one per nonzero as before: what rows save, columns do not.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void multiplyColumns(Operands<V> o) {
    o.takeChannel();
    const std::int64_t column = threadOfGrid();
    if (column >= o.rows) return;
    const V x = o.x[column];
    for (int i = o.starts[column]; i < o.starts[column + 1]; ++i) atomicAdd(&o.y[o.rowOf[i]], o.values[i] * x);
}

inline void launchCsc(LaunchContext& c, const Product& p, const TunableValues& t) {
    const Operands<float> o = operandsOf(c, p);
    clear(c, o);
    launch(c, &multiplyColumns<float>, gridOf(o.rows, t, o.channels), blockOf(t), 0, o);
}

KernelEntry csc_entry() { return {.multiply = &launchCsc, .footprint = &rowPerThread, .format = Format::columns}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
