// SPDX-License-Identifier: Apache-2.0
// Idea: a thread makes eight outputs below one another, and keeps a value of the right factor for all eight.
// Changed from coarsened: the tile is 64 x 64, 8 deep; nine shared loads for eight multiply-adds.
// Needs: nothing; what lies outside is filled with zeros.
// Block: 512 threads, 4 KiB of shared memory.
// Source: Volkov and Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, SC 2008; re-derived.
// Look at: shared loads: all lanes read the same value of the left factor, one wavefront.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct StripPolicy {
    static constexpr int kTile = 64, kDeep = 8, kRows = 8;  ///< sides of a block's tile, outputs a thread
    static constexpr int kThreads = kTile * kTile / kRows;  ///< also kTile * kDeep: each brings one value a factor
};

template <class T>
__global__ void __launch_bounds__(StripPolicy::kThreads) register_strip(Matrices<T> m) {
    using P = StripPolicy;
    __shared__ float left[P::kTile][P::kDeep], right[P::kDeep][P::kTile];
    const int x = threadIdx.x % P::kTile, y = threadIdx.x / P::kTile * P::kRows;
    const int top = blockIdx.y * P::kTile, column = blockIdx.x * P::kTile + x;
    const int leftRow = threadIdx.x / P::kDeep, leftColumn = threadIdx.x % P::kDeep, rightRow = threadIdx.x / P::kTile;
    const T* const a = m.left() + (top + leftRow) * m.aRow;
    const float* const b = m.right() + column;
    float sum[P::kRows] = {};
    for (int first = 0; first < m.inner; first += P::kDeep) {
        left[leftRow][leftColumn] =
            top + leftRow < m.rows && first + leftColumn < m.inner ? static_cast<float>(a[first + leftColumn]) : 0.0F;
        right[rightRow][x] = column < m.columns && first + rightRow < m.inner ? b[(first + rightRow) * m.bRow] : 0.0F;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < P::kDeep; ++k) {
            const float value = right[k][x];
#pragma unroll
            for (int i = 0; i < P::kRows; ++i) sum[i] += left[y + i][k] * value;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < P::kRows; ++i)
        if (m.contains(top + y + i, column)) m.store(top + y + i, column, sum[i]);
}

inline void launchStrip(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &register_strip<T>, gridOf(m, StripPolicy::kTile, StripPolicy::kTile), dim3(StripPolicy::kThreads), 0,
               of);
    });
}

inline Footprint stripFootprint(const Case&, const TunableValues&) {
    return tileFootprint(StripPolicy::kThreads, StripPolicy::kTile, StripPolicy::kTile, StripPolicy::kDeep);
}

KernelEntry register_strip_entry() { return {.multiply = &launchStrip, .footprint = &stripFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
