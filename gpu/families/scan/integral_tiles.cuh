// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tiles of an integral picture in one pass: their order, and how each finds what lies left of it and above.

#include "gpu/families/scan/integral_cut.hpp"
#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct OnePassPolicy {
    static constexpr unsigned kAcross = 64;  ///< tiles of a strip; a strip is done before the next one is begun
    static constexpr unsigned kBatch = 1;    ///< tiles that a thread asks at once
};

/// Tiles of all slices, those of a strip row after row: tiles that run together lie together, near in both ways.
struct IntegralTiles {
    unsigned width, height;
    unsigned across, down;  ///< tiles of a slice
};

struct IntegralTile {
    unsigned slice, column, row;

    __device__ IntegralTile(unsigned number, const IntegralTiles& t) {
        const unsigned inSlice = t.across * t.down, inStrip = OnePassPolicy::kAcross * t.down;
        slice = number / inSlice;
        number -= slice * inSlice;
        const unsigned strip = number / inStrip, left = strip * OnePassPolicy::kAcross;
        number -= strip * inStrip;
        const unsigned across = t.across - left < OnePassPolicy::kAcross ? t.across - left : OnePassPolicy::kAcross;
        row = number / across;
        column = left + number % across;
    }
};

/// Adds up what tiles before this one said, the next `kBatch` of them, until one says a sum from the start: true then.
/// `first` is how many tiles the nearest of them is away; beyond the first tile of all there is nothing.
template <class Sum>
__device__ bool addBatch(unsigned scan, const Wide* own, Wide apart, unsigned first, unsigned tilesBefore, Sum& sum) {
    Wide said[OnePassPolicy::kBatch];
#pragma unroll
    for (unsigned k = 0; k < OnePassPolicy::kBatch; ++k)
        said[k] = first + k <= tilesBefore ? poll(own - (first + k) * apart) : packTileState(scan, kInclusive, Sum{0});
    bool ends = false;
#pragma unroll
    for (unsigned k = 0; k < OnePassPolicy::kBatch; ++k) {
        if (ends) continue;
        if (statusOf(scan, said[k]) == kInvalid) said[k] = waitForStatus(scan, own - (first + k) * apart);
        sum = sumOf<Sum>(said[k]) + sum;
        ends = statusOf(scan, said[k]) == kInclusive;
    }
    return ends;
}

/// What lies left of a warp's rows, in lane r that of row r modulo kRows: groups of kRows lanes ask a batch each.
template <unsigned kRows, class Sum>
__device__ Sum leftOf(unsigned scan, const Wide* own, Wide apart, unsigned tilesBefore) {
    constexpr unsigned kBatch = OnePassPolicy::kBatch, kGroups = 32 / kRows;
    const unsigned lane = threadIdx.x % 32, row = lane % kRows, group = lane / kRows;
    Sum before = 0;
    bool done = false;
    for (unsigned from = 1;; from += kGroups * kBatch) {
        Sum sum = 0;
        const bool ends = addBatch(scan, own, apart, from + group * kBatch, tilesBefore, sum);
#pragma unroll
        for (unsigned g = 0; g < kGroups; ++g) {
            const Sum theirs = __shfl_sync(kAllLanes, sum, g * kRows + row);
            const int last = __shfl_sync(kAllLanes, static_cast<int>(ends), g * kRows + row);
            if (done) continue;
            before = theirs + before;
            done = last != 0;
        }
        if (__all_sync(kAllLanes, done) != 0) return before;
    }
}

/// What lies above one column.
template <class Sum>
__device__ Sum above(unsigned scan, const Wide* own, Wide apart, unsigned tilesBefore) {
    Sum before = 0;
    for (unsigned from = 1;; from += OnePassPolicy::kBatch)
        if (addBatch(scan, own, apart, from, tilesBefore, before)) return before;
}

/// Columns of the tile, of whose warps `columns` holds the sums: there, what comes before each warp, and behind, what
/// comes before the tile.
template <unsigned kColumns, class Sum>
__device__ void tellColumns(unsigned scan, Wide* own, Wide apart, unsigned tilesBefore, Sum* columns, unsigned warps) {
    for (unsigned c = threadIdx.x; c < kColumns; c += 32 * warps) {
        Sum total = 0;
        for (unsigned w = 0; w < warps; ++w) {
            const Sum ofWarp = columns[w * kColumns + c];
            columns[w * kColumns + c] = total;
            total += ofWarp;
        }
        Sum before = 0;
        if (tilesBefore > 0) {
            publish(own + c, packTileState(scan, kPartial, total));
            before = above<Sum>(scan, own + c, apart, tilesBefore);
        }
        publish(own + c, packTileState(scan, kInclusive, before + total));
        columns[warps * kColumns + c] = before;
    }
}

inline IntegralTiles tilesOf(const Integral& s, const IntegralCut& cut) {
    const auto width = static_cast<unsigned>(s.width), height = static_cast<unsigned>(s.height);
    return {width, height, (width + cut.columns - 1) / cut.columns, (height + cut.rows() - 1) / cut.rows()};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
