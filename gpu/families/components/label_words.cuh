// SPDX-License-Identifier: Apache-2.0
#pragma once

// From words and their runs' first trees to labels: joins that are left over, roots numbered, labels written a tile of
// words at a time, and the table with them. Part of steps.cuh alone.

#include "gpu/families/components/numbering.cuh"
#include "gpu/families/components/rows.cuh"
#include "gpu/families/components/words.cuh"

#include <cstring>

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

/// Joins what tiles have left over. Whole: nothing is joined yet.
__global__ void __launch_bounds__(WordsPolicy::kThreads) join_words(Words words, bool whole) {
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= words.count) return;
    const unsigned mask = words.masks[word];
    if (mask == 0) return;
    const Extent& e = words.e;
    const unsigned wordX = word % words.perRow, row = word / words.perRow;
    const unsigned y = row % e.height, z = row / e.height;
    const auto join = [&](unsigned a, unsigned b) { unite(words.parents, a, b); };
    const bool atLeft = whole || wordX % WordsPolicy::kAcross == 0;
    const bool atRight = whole || wordX % WordsPolicy::kAcross == WordsPolicy::kAcross - 1;
    const bool atTop = whole || y % WordsPolicy::kRows == 0;
    const auto maskAt = [&](unsigned of, bool there) { return there ? words.masks[of] : 0U; };
    const auto leftOf = [&](unsigned of, bool asked) { return maskAt(of - 1, asked && wordX > 0); };
    const auto rightOf = [&](unsigned of, bool asked) { return maskAt(of + 1, asked && wordX + 1 < words.perRow); };
    if (atLeft) joinSides(mask, word, leftOf(word, true), join);
    if (y > 0) {
        const unsigned above = word - words.perRow;
        if (atTop) joinRows(mask, word, words.masks[above], above, e.corners, join);
        if (e.corners && (atTop || atLeft || atRight))
            joinCorners(mask, word, words.masks[above], above, leftOf(above, atTop || atLeft),
                        rightOf(above, atTop || atRight), join);
    }
    if (z == 0) return;
    const unsigned reach = e.corners ? 1 : 0, slice = words.perRow * e.height;
    for (unsigned step = 0; step <= 2 * reach; ++step) {
        const unsigned otherY = y + step - reach;
        if (otherY >= static_cast<unsigned>(e.height)) continue;  // before the first row, too
        const unsigned other = word - slice + (otherY - y) * words.perRow;
        joinRows(mask, word, words.masks[other], other, e.corners, join);
        if (e.corners)
            joinCorners(mask, word, words.masks[other], other, leftOf(other, true), rightOf(other, true), join);
    }
}

/// Hangs the runs that may be roots below theirs, and counts those that are in each block's words.
__global__ void __launch_bounds__(WordsPolicy::kThreads) count_words(Words words) {
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned roots = 0;
    if (word < words.count) {
        unsigned left = words.roots[word];
        for (; left != 0; left &= left - 1) {
            const unsigned run = lowestOf(left), node = word * WordsPolicy::kRuns + run;
            const unsigned parent = relaxedLoad(&words.parents[node]);
            if (parent == node) roots |= 1U << run;
            if (parent < node) relaxedStore(&words.parents[node], rootAbove(words.parents, parent));
        }
        words.roots[word] = static_cast<std::uint16_t>(roots);
    }
    const BlockSum sum = blockSum(__popc(roots));
    if (threadIdx.x == 0) words.counts[blockIdx.x] = sum.total;
}

__global__ void __launch_bounds__(WordsPolicy::kThreads) number_words(Words words, Table table) {
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned left = word < words.count ? words.roots[word] : 0;
    unsigned label = words.counts[gridDim.x + blockIdx.x] + blockSum(__popc(left)).before;
    for (; left != 0; left &= left - 1) {
        words.parents[word * WordsPolicy::kRuns + lowestOf(left)] = kNumbered | ++label;
        table.begin(label);
    }
}

/// Sums of a warp's pieces, for its first lane.
__device__ inline Piece warpPiece(Piece piece) {
    for (unsigned apart = 16; apart > 0; apart /= 2)
        piece.add({__shfl_down_sync(kAllLanes, piece.area, apart), __shfl_down_sync(kAllLanes, piece.sumX, apart),
                   __shfl_down_sync(kAllLanes, piece.sumY, apart), __shfl_down_sync(kAllLanes, piece.lowX, apart),
                   __shfl_down_sync(kAllLanes, piece.highX, apart), __shfl_down_sync(kAllLanes, piece.lowY, apart),
                   __shfl_down_sync(kAllLanes, piece.highY, apart)});
    return piece;
}

/// What a tile's words need to become labels of pixels.
struct TileLabels {
    static constexpr unsigned kStride = WordsPolicy::kRuns + 1;  ///< odd: lanes that store meet no bank twice
    unsigned masks[WordsPolicy::kThreads];
    unsigned ofRun[WordsPolicy::kThreads * kStride];

    __device__ unsigned at(unsigned word, unsigned bit) const {
        const unsigned mask = masks[word];
        return (mask >> bit & 1U) != 0 ? ofRun[nodeOf(0, mask, bit) + word * kStride] : 0;
    }
};

/// Labels of this thread's runs, and what they add to the table: those of the label that the warp's first run has
/// through the warp's registers, since where components are large it is nearly all.
__device__ inline void labelRuns(const Words& words, unsigned word, unsigned mask, TileLabels& tile, Tally& tally,
                                 const Table& table) {
    const unsigned lane = threadIdx.x % 32, x = threadIdx.x % WordsPolicy::kAcross * 32;
    const unsigned y = threadIdx.x / WordsPolicy::kAcross;
    unsigned* const ofRun = tile.ofRun + threadIdx.x * TileLabels::kStride;
    const unsigned first = mask != 0 ? numberAbove(words.parents, word * WordsPolicy::kRuns) : 0;
    const unsigned some = __ballot_sync(kAllLanes, mask != 0);
    if (some == 0) return;
    const unsigned common = __shfl_sync(kAllLanes, first, static_cast<int>(lowestOf(some)));
    Piece ofCommon = kNothing;
    unsigned run = 0;
    for (unsigned left = mask; left != 0; ++run) {
        const unsigned begin = lowestOf(left), behind = left + (1U << begin);  // carries through the run
        const unsigned last = behind == 0 ? 31 : lowestOf(behind & ~left) - 1;
        left &= behind;
        const unsigned label = run == 0 ? first : numberAbove(words.parents, word * WordsPolicy::kRuns + run);
        ofRun[run] = label;
        const Piece piece = runOf(x + begin, x + last, y);
        if (label == common)
            ofCommon.add(piece);
        else if (label != 0)
            tally.add(label, piece, table, blockIdx.x * WordsPolicy::kAcross * 32, blockIdx.y * WordsPolicy::kRows,
                      blockIdx.z);
    }
    ofCommon = warpPiece(ofCommon);
    if (lane == 0 && common != 0)
        tally.add(common, ofCommon, table, blockIdx.x * WordsPolicy::kAcross * 32, blockIdx.y * WordsPolicy::kRows,
                  blockIdx.z);
}

/// Writes a tile's labels, a warp 128 pixels of a row at a time where rows begin at multiples of four.
__device__ inline void writeTile(const TileLabels& tile, unsigned* labels, const Extent& e) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = WordsPolicy::kThreads / 32;
    const unsigned x0 = blockIdx.x * WordsPolicy::kAcross * 32, y0 = blockIdx.y * WordsPolicy::kRows;
    const auto width = static_cast<unsigned>(e.width), height = static_cast<unsigned>(e.height);
    const unsigned wide = width % 4 == 0 ? 4 : 1;
    for (unsigned row = warp; row < WordsPolicy::kRows && y0 + row < height; row += warps) {
        unsigned* const to = labels + e.at(0, y0 + row, blockIdx.z);
        for (unsigned x = lane * wide; x < WordsPolicy::kAcross * 32 && x0 + x < width; x += 32 * wide) {
            const unsigned word = row * WordsPolicy::kAcross + x / 32, bit = x % 32;
            if (wide == 1) {
                to[x0 + x] = tile.at(word, bit);
                continue;
            }
            const unsigned four[4] = {tile.at(word, bit), tile.at(word, bit + 1), tile.at(word, bit + 2),
                                      tile.at(word, bit + 3)};
            float bits[4];
            memcpy(bits, four, sizeof bits);
            __stcs(reinterpret_cast<float4*>(to + x0 + x), make_float4(bits[0], bits[1], bits[2], bits[3]));
        }
    }
}

__global__ void __launch_bounds__(WordsPolicy::kThreads) write_words(Words words, unsigned* labels, Table table) {
    __shared__ TileLabels tile;
    __shared__ Tally tally;
    const TileWord own = tileWord(words);
    const unsigned word = own.there ? words.at(own.wordX, own.y, own.z) : 0;
    const unsigned mask = own.there ? words.masks[word] : 0;
    tile.masks[threadIdx.x] = mask;
    tally.clear();
    __syncthreads();
    labelRuns(words, word, mask, tile, tally, table);
    __syncthreads();
    tally.flush(table, blockIdx.x * WordsPolicy::kAcross * 32, blockIdx.y * WordsPolicy::kRows, blockIdx.z);
    writeTile(tile, labels, words.e);
}

/// What follows the words' forest.
inline void launchWords(LaunchContext& c, const Task& task, bool whole) {
    const Words words = wordsAt(c, task);
    const dim3 block(WordsPolicy::kThreads), chunks(static_cast<unsigned>(wordChunks(task)));
    launch(c, &join_words, chunks, block, 0, words, whole);
    launch(c, &count_words, chunks, block, 0, words);
    launchScanCounts(c, task, words.counts, chunks.x);
    launch(c, &number_words, chunks, block, 0, words, tableOf(c, task));
    launch(c, &write_words, wordTiles(task), block, 0, words, static_cast<unsigned*>(c.address(task.output)),
           tableOf(c, task));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
