// SPDX-License-Identifier: Apache-2.0
// Idea: slices of 32 rows, each as wide as its own longest row: one warp per slice.
// Changed from ell: a long row lengthens 31 others, no more.
// Needs: where each slice starts, and places that fill up within a slice.
// Block: block_width threads, no shared memory.
// Source: Monakov, Lokhmotov and Avetisyan, HiPEAC 2010. Rows stay in their order: neighbours are about equally long.
// Look at: percent of the matrix's own bytes at copy speed: nothing else is left.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

template <class V>
__global__ void slicedEll(Operands<V> o) {
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    const auto slice = row / kSlice;
    const int end = o.starts[slice + 1];
    V sum = 0;
#pragma unroll 5
    for (int at = o.starts[slice] + static_cast<int>(row % kSlice); at < end; at += kSlice) {
        const int column = o.columns[at];
        const V value = o.values[at];
        if (column >= 0) sum += value * o.x[column];
    }
    o.y[row] = sum;
}

inline void launchSlicedEll(LaunchContext& c, const Product& p, const TunableValues& t) {
    launch(c, &slicedEll<float>, gridOf(p.stored.rows, t), blockOf(t), 0, operandsOf(c, p));
}

KernelEntry sliced_ell_entry() {
    return {.multiply = &launchSlicedEll, .footprint = &rowPerThread, .format = Format::sliced};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
