// SPDX-License-Identifier: Apache-2.0
#pragma once

// An integral picture of any width in one pass: a tile's values stay in registers, 128 columns of them.

#include "gpu/families/scan/integral_tiles.cuh"
#include "gpu/families/scan/quads.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct NarrowPolicy {
    static constexpr unsigned kMostThreads = 512, kBlocks = 2;
    static constexpr unsigned kColumns = narrowCut(4, 32).columns;
};

template <class T>
constexpr unsigned kRowsOfWarp = narrowCut(sizeof(T), 32).rowsOfWarp;

/// Four values as they lie in memory.
template <class T>
struct PackedQuad {
    unsigned word[sizeof(T)];

    /// Value v of 4, known when the loop around it is unrolled.
    __device__ T operator[](int v) const {
        if constexpr (sizeof(T) < 4) {
            constexpr int kPerWord = 4 / sizeof(T);
            return static_cast<T>(word[v / kPerWord] >> (32 / kPerWord * (v % kPerWord)));
        } else {
            T value;
            memcpy(&value, &word[v], sizeof value);
            return value;
        }
    }
    /// Has the compiler unpack values once more where they are used again, in place of keeping them apart in registers.
    __device__ void stayPacked() {
#ifdef __CUDA_ARCH__
#pragma unroll
        for (unsigned& bits : word) asm volatile("" : "+r"(bits));
#endif
    }
};

/// This thread's quads of consecutive rows; 0 outside the picture.
template <class T, unsigned kRows>
__device__ void loadRows(const T* in, const IntegralTiles& t, unsigned x, unsigned y, bool quads,
                         PackedQuad<T> (&rows)[kRows]) {
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        const T* const row = in + Wide{y + i} * t.width;
        const unsigned size = y + i < t.height ? t.width : 0;
        T raw[4] = {};
        if (!quads || x < size) loadQuadOf(row, size, x, quads, raw);
        memcpy(&rows[i], &raw, sizeof raw);
    }
}

template <class T, class Sum>
__global__ void __launch_bounds__(NarrowPolicy::kMostThreads, NarrowPolicy::kBlocks)
    integral_narrow(const T* in, Sum* out, IntegralTiles t, unsigned tiles, Wide* states) {
    constexpr unsigned kRows = kRowsOfWarp<T>, kColumns = NarrowPolicy::kColumns;
    const unsigned rows = blockDim.x / 32 * kRows, words = rows + kColumns;
    const auto [number, turn] = drawTile(states, tiles);
    __syncthreads();  // every thread has the number
    const IntegralTile tile(static_cast<unsigned>(number), t);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned x = tile.column * kColumns + lane * 4, y = tile.row * rows + warp * kRows;
    const Wide slice = Wide{tile.slice} * t.width * t.height;
    const bool quads = t.width % 4 == 0;  // each row begins where four values lie
    PackedQuad<T> raw[kRows];
    loadRows(in + slice, t, x, y, quads, raw);

    Sum before[kRows], ofRow = 0;  // before this lane; and in lane r of row r
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        const auto v = [&](int c) { return static_cast<Sum>(raw[i][c]); };
        const Sum upTo = warpInclusive((v(0) + v(1)) + (v(2) + v(3)));
        before[i] = __shfl_up_sync(kAllLanes, upTo, 1);
        if (lane == 0) before[i] = 0;
        const Sum total = __shfl_sync(kAllLanes, upTo, 31);
        if (lane % kRows == i) ofRow = total;
    }
    Wide* const own =
        states + StatesLayout::kFirst + ((Wide{tile.slice} * t.down + tile.row) * t.across + tile.column) * words;
    Wide* const ownRow = own + warp * kRows + lane % kRows;
    Sum left = 0;
    if (tile.column > 0) {
        if (lane < kRows) publish(ownRow, packTileState(turn, kPartial, ofRow));
        left = leftOf<kRows, Sum>(turn, ownRow, words, tile.column);
    }
    if (lane < kRows) publish(ownRow, packTileState(turn, kInclusive, left + ofRow));

    Sum* const columns = sharedSums<Sum>();
    Sum sums[4] = {};
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        raw[i].stayPacked();
        before[i] = __shfl_sync(kAllLanes, left, static_cast<int>(i)) + before[i];
        Sum upTo = before[i];
#pragma unroll
        for (int v = 0; v < 4; ++v) sums[v] += upTo += static_cast<Sum>(raw[i][v]);
    }
    storeQuad(columns + warp * kColumns + lane * 4, sums);
    __syncthreads();  // the sums of warps are there
    tellColumns<kColumns>(turn, own + rows, Wide{t.across} * words, tile.row, columns, blockDim.x / 32);
    __syncthreads();  // and what comes before them
    Sum aboveWarp[4];
    loadQuad(columns + warp * kColumns + lane * 4, sums);
    loadQuad(columns + blockDim.x / 32 * kColumns + lane * 4, aboveWarp);
#pragma unroll
    for (int v = 0; v < 4; ++v) sums[v] = aboveWarp[v] + sums[v];
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        raw[i].stayPacked();
        Sum upTo = before[i];
#pragma unroll
        for (int v = 0; v < 4; ++v) sums[v] += upTo += static_cast<Sum>(raw[i][v]);
        if (y + i >= t.height) continue;
        Sum* const row = out + slice + Wide{y + i} * t.width;
        if (quads) {
            if (x < t.width) storeQuad(row + x, sums);
        } else {
#pragma unroll
            for (unsigned v = 0; v < 4; ++v)
                if (x + v < t.width) row[x + v] = sums[v];
        }
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
