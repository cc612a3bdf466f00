// SPDX-License-Identifier: Apache-2.0
// Idea: threads of a warp make neighbours of a row: they share a value of the left factor and read a line of the right.
// Changed from naive: threads go along a row of the result, not down a column.
// Needs: nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 6.1.
// Look at: sectors per request: 1 of the left factor, 4 of the right one.
#pragma once

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void coalesced(Matrices<T> m) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (!m.contains(row, column)) return;
    const T* const a = m.left() + row * m.aRow;
    const float* const b = m.right() + column;
    float sum = 0;
    for (int k = 0; k < m.inner; ++k) sum += static_cast<float>(a[k]) * b[k * m.bRow];
    m.store(row, column, sum);
}

inline void launchCoalesced(LaunchContext& c, const Multiplication& m, const TunableValues& t) {
    const dim3 block = blockOf(t);
    dispatch(c, m, [&]<class T>(const Matrices<T>& of) {
        launch(c, &coalesced<T>, gridOf(m, static_cast<int>(block.x), static_cast<int>(block.y)), block, 0, of);
    });
}

KernelEntry coalesced_entry() { return {.multiply = &launchCoalesced, .footprint = &plainFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
