// SPDX-License-Identifier: Apache-2.0
// Idea: of few columns: a warp takes two rows of the left factor, its lanes the terms of their sums in turn.
// Changed from coalesced: each value of the left factor is loaded once, side by side, and all lanes work however few
// columns there are.
// Needs: a result of up to 8 columns.
// Block: 128 threads, no shared memory; 2 sums per column in registers of each lane, added up by shuffles.
// Source: Sørensen, High-Performance Matrix-Vector Multiplication on the GPU, Euro-Par 2011 workshops; re-derived.
// Look at: bytes: the left factor once is the least there can be.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct WarpPerRowPolicy {
    static constexpr int kThreads = 128, kRows = 2, kColumns = 8;  ///< rows of a warp; columns of the result at most
    static constexpr int kBlockRows = kThreads / 32 * kRows;
};

template <class T, int kColumns>
__global__ void __launch_bounds__(WarpPerRowPolicy::kThreads) warp_per_row(Matrices<T> m) {
    using P = WarpPerRowPolicy;
    const int lane = threadIdx.x % 32, first = blockIdx.x * P::kBlockRows + threadIdx.x / 32 * P::kRows;
    if (first >= m.rows) return;
    const T* a[P::kRows];
    for (int r = 0; r < P::kRows; ++r)
        a[r] = m.left() + (first + r < m.rows ? first + r : first) * m.aRow;  // what is beyond is not stored
    const float* const b = m.right();
    float sum[P::kRows][kColumns] = {};
#pragma unroll 8
    for (int k = lane; k < m.inner; k += 32) {
        float of[kColumns];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) of[c] = b[k * m.bRow + c];
#pragma unroll
        for (int r = 0; r < P::kRows; ++r) {
            const auto value = static_cast<float>(a[r][k]);
#pragma unroll
            for (int c = 0; c < kColumns; ++c) sum[r][c] += value * of[c];
        }
    }
#pragma unroll
    for (int r = 0; r < P::kRows; ++r)
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            float all = sum[r][c];
#pragma unroll
            for (int apart = 16; apart > 0; apart /= 2) all += __shfl_xor_sync(0xffffffffU, all, apart);
            if (lane == r * kColumns + c && first + r < m.rows) m.store(first + r, c, all);
        }
}

template <class T, int kColumns = WarpPerRowPolicy::kColumns>
void launchWarpPerRowOf(LaunchContext& c, const Matrices<T>& m, unsigned layers) {
    if constexpr (kColumns > 1) {
        if (m.columns < kColumns) return launchWarpPerRowOf<T, kColumns - 1>(c, m, layers);
    }
    using P = WarpPerRowPolicy;
    launch(c, &warp_per_row<T, kColumns>, dim3(ceilDiv(m.rows, P::kBlockRows), 1, layers), dim3(P::kThreads), 0, m);
}

inline void launchWarpPerRow(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) { launchWarpPerRowOf(c, of, static_cast<unsigned>(m.layers)); });
}

inline Footprint warpPerRowFootprint(const Case&, const TunableValues&) {
    using P = WarpPerRowPolicy;
    return {.blockWidth = P::kThreads, .blockHeight = 1, .tileWidth = P::kColumns, .tileHeight = P::kBlockRows};
}

KernelEntry warp_per_row_entry() {
    return {
        .multiply = &launchWarpPerRow, .footprint = &warpPerRowFootprint, .mostColumns = WarpPerRowPolicy::kColumns};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
