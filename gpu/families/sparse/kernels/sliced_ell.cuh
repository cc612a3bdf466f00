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

/// kAtOnce places of a row are asked for before any is waited for.
template <class V, int kAtOnce>
__global__ void slicedEll(Operands<V> o) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    const auto slice = row / kSlice;
    const int end = o.starts[slice + 1];
    V sum = 0;
    for (int first = o.starts[slice] + static_cast<int>(row % kSlice); first < end; first += kAtOnce * kSlice) {
        int column[kAtOnce];
        V value[kAtOnce], of[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            const int at = first + k * kSlice;
            column[k] = at < end ? o.columns[at] : kNoColumn;
            value[k] = at < end ? o.values[at] : 0;
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) of[k] = column[k] >= 0 ? o.x[column[k]] : 0;
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
            if (column[k] >= 0) sum += value[k] * of[k];
    }
    o.y[row] = sum;
}

inline void launchSlicedEll(LaunchContext& c, const Product& p, const TunableValues& t) {
    const bool volume = p.rule.depth > 1;  // rows of a Laplacian are 7 long, those of other matrices 5 or 25
    launch(c, volume ? &slicedEll<float, 7> : &slicedEll<float, 5>, gridOf(p.stored.rows, t, p.channels), blockOf(t), 0,
           operandsOf(c, p));
}

KernelEntry sliced_ell_entry() {
    return {.multiply = &launchSlicedEll, .footprint = &rowPerThread, .format = Format::sliced};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
