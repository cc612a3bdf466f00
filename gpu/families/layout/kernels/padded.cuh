// SPDX-License-Identifier: Apache-2.0
// Idea: a row of the tile is a word longer than it has to be, so that a column goes over all banks.
// Changed from tiled: the declaration of the tile alone.
// Needs: a turn by a quarter: rows become columns.
// Block: 32 x block_height threads, 1,024 values and 32 words of shared memory.
// Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009; re-derived.
// Look at: the shared load: 1 wavefront a request where tiled has 32.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void padded(Matrices<T> m) {
    // One word: 1 value of 4 bytes, 2 of 2 bytes, 4 of a byte.
    __shared__ T tile[kTile][kTile + 4 / sizeof(T)];
    const Move& move = m.move;
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile, lane = threadIdx.x;
    const T* const in = m.source(blockIdx.z);
    for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
        if (left + lane < move.columns && top + y < move.rows) tile[y][lane] = in[(top + y) * move.inRow + left + lane];
    }
    __syncthreads();
    T* const out = m.target(blockIdx.z);
    for (int x = threadIdx.y; x < kTile; x += blockDim.y) {
        if (left + x < move.columns && top + lane < move.rows)
            out[(left + x) * move.outRow + top + lane] = tile[lane][x];
    }
}

inline void launchPadded(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a,
                 [&]<class T>(const Matrices<T>& m) { launch(c, &padded<T>, tileGrid(a.move), tileBlock(t), 0, m); });
}

KernelEntry padded_entry() { return {.launch = &launchPadded, .footprint = &tileFootprint, .refusal = &turnsOnly}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
