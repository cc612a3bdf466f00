// SPDX-License-Identifier: Apache-2.0
// Idea: a block brings a tile of each factor to shared memory and uses every value 32 times.
// Changed from coalesced: a value comes from global memory once a block, not once a warp.
// Needs: nothing; what lies outside is filled with zeros.
// Block: 32 x 32 threads, 8 KiB of shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 5.4.
// Look at: two shared loads for one multiply-add: shared memory is what it waits for now.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

constexpr int kTiledSide = 32;

template <class T>
__global__ void tiled(Matrices<T> m) {
    __shared__ float left[kTiledSide][kTiledSide], right[kTiledSide][kTiledSide];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * kTiledSide + x, row = blockIdx.y * kTiledSide + y;
    const T* const a = m.left() + row * m.aRow;
    const float* const b = m.right() + column;
    float sum = 0;
    for (int first = 0; first < m.inner; first += kTiledSide) {
        left[y][x] = row < m.rows && first + x < m.inner ? static_cast<float>(a[first + x]) : 0.0F;
        right[y][x] = column < m.columns && first + y < m.inner ? b[(first + y) * m.bRow] : 0.0F;
        __syncthreads();
        for (int k = 0; k < kTiledSide; ++k) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    if (m.contains(row, column)) m.store(row, column, sum);
}

inline void launchTiled(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &tiled<T>, gridOf(m, kTiledSide, kTiledSide), dim3(kTiledSide, kTiledSide), 0, of);
    });
}

inline Footprint tiledFootprint(const Case&, const TunableValues&) {
    return {.blockWidth = kTiledSide,
            .blockHeight = kTiledSide,
            .tileWidth = kTiledSide,
            .tileHeight = kTiledSide,
            .staged = true,
            .stagedDepth = kTiledSide};
}

KernelEntry tiled_entry() { return {.multiply = &launchTiled, .footprint = &tiledFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
