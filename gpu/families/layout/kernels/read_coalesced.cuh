// SPDX-License-Identifier: Apache-2.0
// Idea: one thread moves one value; neighbours in a warp read neighbours of the input.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing; every task within planes but reads out of step.
// Block: block_width x block_height threads, no shared memory.
// Source: Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009, first kernel; re-derived.
// Look at: a turn's store: 32 lanes write to 32 rows, a sector of 32 bytes for each value.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void read_coalesced(Matrices<T> m) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Move& move = m.move;
    if (x >= move.columns || y >= move.rows) return;
    const T value = m.source(blockIdx.z)[y * move.inRow + x];
    const std::int64_t to =
        move.swapped ? x * move.outRow + y : y * move.outRow + (move.mirrored ? move.columns - 1 - x : x);
    m.target(blockIdx.z)[to] = value;
}

inline void launchReadCoalesced(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a, [&]<class T>(const Matrices<T>& m) {
        const dim3 block = blockOf(t);
        const dim3 grid = gridOf(a.move.columns, a.move.rows, block.x, block.y, a.move);
        launch(c, &read_coalesced<T>, grid, block, 0, m);
    });
}

inline Footprint readCoalescedFootprint(const Case& of, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    const bool swapped = of.move.swapped;
    return {.blockWidth = w, .blockHeight = h, .tileWidth = swapped ? h : w, .tileHeight = swapped ? w : h};
}

KernelEntry read_coalesced_entry() {
    return {.launch = &launchReadCoalesced, .footprint = &readCoalescedFootprint, .refusal = &keepsStep};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
