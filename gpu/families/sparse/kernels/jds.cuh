// SPDX-License-Identifier: Apache-2.0
// Idea: rows sorted by length, the longest first, and stored column by column: each column is as long as rows reach it.
// Changed from ell: nothing is padded, and neighbouring threads have rows of the same length.
// Needs: the rows in their new order, and where each column starts.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 14.6; Saad 1989.
// Look at: active threads per warp, and the stores, which the new order scatters.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void multiplyJagged(Operands<V> o) {
    o.takeChannel();
    const std::int64_t place = threadOfGrid();
    if (place >= o.rows) return;
    V sum = 0;
    for (int k = 0; k < o.width; ++k) {
        const std::int64_t at = o.starts[k] + place;
        if (at >= o.starts[k + 1]) break;
        sum += o.values[at] * o.x[o.columns[at]];
    }
    o.y[o.rowOf[place]] = sum;
}

inline void launchJds(LaunchContext& c, const Product& p, const TunableValues& t) {
    launch(c, &multiplyJagged<float>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0, operandsOf(c, p));
}

KernelEntry jds_entry() { return {.multiply = &launchJds, .footprint = &rowPerThread, .format = Format::jagged}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
