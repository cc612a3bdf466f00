// SPDX-License-Identifier: Apache-2.0
// Idea: rows that stay rows go 16 bytes per thread; where they start between two packs, two are loaded and joined.
// Changed from write_coalesced: a sixteenth of the requests for bytes, and a mirror turns the 16 bytes in registers.
// Needs: rows that stay rows, read in step: copy, flips, a half turn, offset, slices in another order.
// Block: block_width x block_height threads, no shared memory.
// Source: NVIDIA Pro Tip, vectorized memory access, 2013; joining by the byte is our own.
// Look at: offset: every store is whole, and a load touches 16 or 17 sectors.
#pragma once

#include "gpu/families/layout/launching.cuh"
#include "gpu/kernels/packs.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void rows(Matrices<T> m) {
    constexpr int kValues = Pack<T>::kValues;
    const Move& move = m.move;
    const int pack = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= move.rows) return;
    const T* const in = m.source(blockIdx.z) + y * move.inRow;
    T* const out = m.target(blockIdx.z) + y * move.outRow;
    // Packs lie at multiples of 16, the first one before the row unless the row does as well.
    const int x = pack * kValues - static_cast<int>(beyondPack(out) / sizeof(T));
    if (x >= move.columns) return;
    const int from = move.mirrored ? move.columns - kValues - x : m.column(x < 0 ? 0 : x);
    if (x >= 0 && x + kValues <= move.columns && from >= 0 && from + kValues <= move.columns) {
        const Pack<T> read = loadAnywhere(in + from, m.end);
        return storePack(out + x, move.mirrored ? reversed(read) : read);
    }
    // The ends of the row, and where an offset goes round its end.
    for (int i = x < 0 ? 0 : x; i < x + kValues && i < move.columns; ++i) out[i] = in[m.column(i)];
}

inline void launchRows(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a, [&]<class T>(const Matrices<T>& m) {
        const dim3 block = blockOf(t);
        // A row that does not begin with a pack has one more, and another where it ends in one.
        const int packs = a.aligned() ? a.move.columns / Pack<T>::kValues : a.move.columns / Pack<T>::kValues + 2;
        launch(c, &rows<T>, gridOf(packs, a.move.rows, block.x, block.y, a.move), block, 0, m);
    });
}

inline Footprint rowsFootprint(const Case& of, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w * of.valuesAPack(), .tileHeight = h};
}

KernelEntry rows_entry() { return {.launch = &launchRows, .footprint = &rowsFootprint, .refusal = &rowsOnly}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
