// SPDX-License-Identifier: Apache-2.0
// Idea: row y of the tile holds its column x at x XOR y, so that a column goes over all banks.
// Changed from padded: no byte is lost, and tiles stay a power of two.
// Needs: a turn by a quarter: rows become columns.
// Block: 32 x block_height threads, 1,024 values of shared memory.
// Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009; the swizzle as in CUTLASS; re-derived.
// Look at: the shared load: 1 wavefront a request, as padded and without its 32 words more.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void swizzled(Matrices<T> m) {
    __shared__ T tile[kTile][kTile];
    const Move& move = m.move;
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile, lane = threadIdx.x;
    const T* const in = m.source(blockIdx.z);
    for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
        if (left + lane < move.columns && top + y < move.rows)
            tile[y][lane ^ y] = in[(top + y) * move.inRow + left + lane];
    }
    __syncthreads();
    T* const out = m.target(blockIdx.z);
    for (int x = threadIdx.y; x < kTile; x += blockDim.y) {
        if (left + x < move.columns && top + lane < move.rows)
            out[(left + x) * move.outRow + top + lane] = tile[lane][x ^ lane];
    }
}

inline void launchSwizzled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a,
                 [&]<class T>(const Matrices<T>& m) { launch(c, &swizzled<T>, tileGrid(a.move), tileBlock(t), 0, m); });
}

KernelEntry swizzled_entry() { return {.launch = &launchSwizzled, .footprint = &tileFootprint, .refusal = &turnsOnly}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
