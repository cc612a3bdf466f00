// SPDX-License-Identifier: Apache-2.0
// Idea: a block makes four tiles of a row of tiles, and brings the left factor's tile once for all of them.
// Changed from tiled: four outputs per thread; of the two shared loads a multiply-add one serves four.
// Needs: nothing; what lies outside is filled with zeros.
// Block: 32 x 32 threads, 20 KiB of shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 6.3.
// Look at: global loads of the left factor: a quarter of tiled's.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

constexpr int kCoarseSide = 32, kCoarseTiles = 4;

template <class T>
__global__ void coarsened(Matrices<T> m) {
    __shared__ float left[kCoarseSide][kCoarseSide], right[kCoarseSide][kCoarseSide * kCoarseTiles];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * kCoarseSide * kCoarseTiles + x, row = blockIdx.y * kCoarseSide + y;
    const T* const a = m.left() + row * m.aRow;
    const float* const b = m.right() + column;
    float sum[kCoarseTiles] = {};
    for (int first = 0; first < m.inner; first += kCoarseSide) {
        left[y][x] = row < m.rows && first + x < m.inner ? static_cast<float>(a[first + x]) : 0.0F;
#pragma unroll
        for (int i = 0; i < kCoarseTiles; ++i) {
            const int off = i * kCoarseSide;
            right[y][x + off] = column + off < m.columns && first + y < m.inner ? b[(first + y) * m.bRow + off] : 0.0F;
        }
        __syncthreads();
        for (int k = 0; k < kCoarseSide; ++k) {
            const float value = left[y][k];
#pragma unroll
            for (int i = 0; i < kCoarseTiles; ++i) sum[i] += value * right[k][x + i * kCoarseSide];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kCoarseTiles; ++i)
        if (m.contains(row, column + i * kCoarseSide)) m.store(row, column + i * kCoarseSide, sum[i]);
}

inline void launchCoarsened(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &coarsened<T>, gridOf(m, kCoarseSide * kCoarseTiles, kCoarseSide), dim3(kCoarseSide, kCoarseSide), 0,
               of);
    });
}

inline Footprint coarsenedFootprint(const Case&, const TunableValues&) {
    return {.blockWidth = kCoarseSide,
            .blockHeight = kCoarseSide,
            .tileWidth = kCoarseSide * kCoarseTiles,
            .tileHeight = kCoarseSide,
            .staged = true,
            .stagedDepth = kCoarseSide};
}

KernelEntry coarsened_entry() { return {.multiply = &launchCoarsened, .footprint = &coarsenedFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
