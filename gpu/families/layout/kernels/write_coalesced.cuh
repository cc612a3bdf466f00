// SPDX-License-Identifier: Apache-2.0
// Idea: one thread moves one value; neighbours in a warp write neighbours of the output.
// Changed from read_coalesced: threads stand for places of the output, so that the reads are the ones that scatter.
// Needs: nothing; every task within planes.
// Block: block_width x block_height threads, no shared memory.
// Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009; re-derived.
// Look at: the load: 32 sectors per request of a turn; at a stride of 1 to 8 floats 4 to 32, and one more off by some.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void write_coalesced(Matrices<T> m) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Move& move = m.move;
    const int width = move.swapped ? move.rows : move.outColumns;
    const int height = move.swapped ? move.columns : move.rows;
    if (x >= width || y >= height) return;
    const std::int64_t from = move.swapped ? x * move.inRow + y : y * move.inRow + m.column(x);
    m.target(blockIdx.z)[y * move.outRow + x] = m.source(blockIdx.z)[from];
}

inline void launchWriteCoalesced(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a, [&]<class T>(const Matrices<T>& m) {
        const dim3 block = blockOf(t);
        const Move& move = a.move;
        const dim3 grid = gridOf(move.swapped ? move.rows : move.outColumns, move.swapped ? move.columns : move.rows,
                                 block.x, block.y, move);
        launch(c, &write_coalesced<T>, grid, block, 0, m);
    });
}

inline Footprint writeCoalescedFootprint(const Case&, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

KernelEntry write_coalesced_entry() {
    return {.launch = &launchWriteCoalesced, .footprint = &writeCoalescedFootprint, .refusal = &movesWithinPlanes};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
