// SPDX-License-Identifier: Apache-2.0
// Idea: a block turns a tile of 32 x 32 in shared memory, so that both reads and writes go along rows.
// Changed from write_coalesced: what scatters are accesses to shared memory.
// Needs: a turn by a quarter: rows become columns.
// Block: 32 x block_height threads, 1,024 values of shared memory.
// Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009; re-derived.
// Look at: the shared load of f32: a column of the tile lies in one bank, 32 wavefronts per request.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void tiled(Matrices<T> m) {
    __shared__ T tile[kTile][kTile];
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

inline void launchTiled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a,
                 [&]<class T>(const Matrices<T>& m) { launch(c, &tiled<T>, tileGrid(a.move), tileBlock(t), 0, m); });
}

KernelEntry tiled_entry() { return {.launch = &launchTiled, .footprint = &tileFootprint, .refusal = &turnsOnly}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
