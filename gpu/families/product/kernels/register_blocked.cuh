// SPDX-License-Identifier: Apache-2.0
// Idea: a thread makes 8 x 8 outputs: 16 values from shared memory serve 64 multiply-adds.
// Changed from register_strip: a strip in both directions; the tile is 128 x 128.
// Needs: nothing; what lies outside is filled with zeros.
// Block: 256 threads, 8 KiB of shared memory, 64 sums per thread in registers.
// Source: Volkov and Demmel, Benchmarking GPUs to Tune Dense Linear Algebra, SC 2008; re-derived.
// Look at: wavefronts per shared load of the right factor: threads read 8 values apart, four lanes to a bank.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct BlockPolicy {
    static constexpr int kTile = 128, kDeep = 8, kSide = 8;
    static constexpr int kAcross = kTile / kSide, kThreads = kAcross * kAcross;
};

template <class T>
__global__ void __launch_bounds__(BlockPolicy::kThreads, 2) register_blocked(Matrices<T> m) {
    using P = BlockPolicy;
    __shared__ float left[P::kTile][P::kDeep], right[P::kDeep][P::kTile];
    const int x = threadIdx.x % P::kAcross * P::kSide, y = threadIdx.x / P::kAcross * P::kSide;
    const int top = blockIdx.y * P::kTile, start = blockIdx.x * P::kTile;
    const T* const a = m.left();
    const float* const b = m.right();
    float sum[P::kSide][P::kSide] = {};
    for (int first = 0; first < m.inner; first += P::kDeep) {
#pragma unroll
        for (int i = threadIdx.x; i < P::kTile * P::kDeep; i += P::kThreads) {
            const int row = top + i / P::kDeep, k = first + i % P::kDeep;
            left[i / P::kDeep][i % P::kDeep] =
                row < m.rows && k < m.inner ? static_cast<float>(a[row * m.aRow + k]) : 0.0F;
            const int column = start + i % P::kTile, deep = first + i / P::kTile;
            right[i / P::kTile][i % P::kTile] = column < m.columns && deep < m.inner ? b[deep * m.bRow + column] : 0.0F;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < P::kDeep; ++k) {
            float across[P::kSide], down[P::kSide];
#pragma unroll
            for (int i = 0; i < P::kSide; ++i) {
                across[i] = right[k][x + i];
                down[i] = left[y + i][k];
            }
#pragma unroll
            for (int i = 0; i < P::kSide; ++i)
#pragma unroll
                for (int j = 0; j < P::kSide; ++j) sum[i][j] += down[i] * across[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < P::kSide; ++i)
#pragma unroll
        for (int j = 0; j < P::kSide; ++j)
            if (m.contains(top + y + i, start + x + j)) m.store(top + y + i, start + x + j, sum[i][j]);
}

inline void launchBlocked(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &register_blocked<T>, gridOf(m, BlockPolicy::kTile, BlockPolicy::kTile), dim3(BlockPolicy::kThreads),
               0, of);
    });
}

inline Footprint blockedFootprint(const Case&, const TunableValues&) {
    return tileFootprint(BlockPolicy::kThreads, BlockPolicy::kTile, BlockPolicy::kTile, BlockPolicy::kDeep);
}

KernelEntry register_blocked_entry() { return {.multiply = &launchBlocked, .footprint = &blockedFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
