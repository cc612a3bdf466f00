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

/// Joins all words with those before them: of the same slice, and of the slice before.
__global__ void __launch_bounds__(WordsPolicy::kThreads) join_words(Words words, bool whole) {
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= words.count) return;
    const unsigned mask = words.masks[word];
    if (mask == 0) return;
    const Extent& e = words.e;
    const unsigned wordX = word % words.perRow, row = word / words.perRow;
    const unsigned y = row % e.height, z = row / e.height;
    const auto join = [&](unsigned a, unsigned b) { unite(words.parents, a, b); };
    const auto withRow = [&](unsigned other) {
        joinRows(mask, word, words.masks[other], other, e.corners, join);
        if (e.corners)
            joinCorners(mask, word, words.masks[other], other, wordX > 0 ? words.masks[other - 1] : 0U,
                        wordX + 1 < words.perRow ? words.masks[other + 1] : 0U, join);
    };
    if (whole && wordX > 0) joinSides(mask, word, words.masks[word - 1], join);
    if (whole && y > 0) withRow(word - words.perRow);
    if (z == 0) return;
    const unsigned reach = e.corners ? 1 : 0, slice = words.perRow * e.height;
    for (unsigned step = 0; step <= 2 * reach; ++step) {
        const unsigned otherY = y + step - reach;
        if (otherY >= static_cast<unsigned>(e.height)) continue;  // before the first row, too
        withRow(word - slice + (otherY - y) * words.perRow);
    }
}

/// unite() where neighbouring lanes often ask the same.
__device__ inline void uniteOnce(unsigned* parents, bool asked, unsigned a, unsigned b) {
    if (asked) {
        a = rootOf(parents, a);
        b = rootOf(parents, b);
    }
    asked = asked && a != b;
    const unsigned asking = __ballot_sync(kAllLanes, asked);
    if (asking == 0) return;
    const unsigned low = a < b ? a : b, high = a < b ? b : a;
    const unsigned before = asking & ((1U << threadIdx.x % 32) - 1);
    const int last = before != 0 ? 31 - __clz(static_cast<int>(before)) : 0;
    const unsigned lastLow = __shfl_sync(kAllLanes, low, last), lastHigh = __shfl_sync(kAllLanes, high, last);
    if (asked && (before == 0 || lastLow != low || lastHigh != high)) unite(parents, high, low);
}

/// Joins tiles that lie one above the other: a warp a word of a tile's first row, a lane a pixel.
__global__ void __launch_bounds__(WordsPolicy::kThreads) join_rows_of_tiles(Words words) {
    const unsigned lane = threadIdx.x % 32, item = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const unsigned wordX = item % words.perRow, y = (item / words.perRow + 1) * WordsPolicy::kRows, z = blockIdx.y;
    if (y >= static_cast<unsigned>(words.e.height)) return;
    const unsigned word = words.at(wordX, y, z), aboveWord = word - words.perRow;
    const unsigned mask = words.masks[word], above = words.masks[aboveWord];
    const unsigned bit = 1U << lane, starts = startsOf(mask & above);
    const auto own = [&] { return nodeOf(word, mask, lane); };
    uniteOnce(words.parents, (starts & bit) != 0, own(), nodeOf(aboveWord, above, lane));
    if (!words.e.corners) return;
    // Corner to corner, where neither run goes on above or below the other; beside the word's ends lie others.
    const unsigned left = wordX > 0 ? words.masks[aboveWord - 1] : 0;
    const unsigned right = wordX + 1 < words.perRow ? words.masks[aboveWord + 1] : 0;
    const bool alone = (mask & ~above & bit) != 0;
    const bool toLeft = alone && (lane > 0 ? (above & ~mask & bit >> 1) != 0 : left >> 31 != 0);
    const bool toRight = alone && (lane < 31 ? (above & ~mask & bit << 1) != 0 : (right & 1U) != 0);
    uniteOnce(words.parents, toLeft, own(),
              lane > 0 ? nodeOf(aboveWord, above, lane - 1) : nodeOf(aboveWord - 1, left, 31));
    uniteOnce(words.parents, toRight, own(),
              lane < 31 ? nodeOf(aboveWord, above, lane + 1) : nodeOf(aboveWord + 1, right, 0));
}

/// Joins tiles that lie side by side: a thread a row of each edge, neighbouring lanes neighbouring rows.
__global__ void __launch_bounds__(WordsPolicy::kThreads) join_sides_of_tiles(Words words) {
    const unsigned edge = blockIdx.y + 1, row = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned height = static_cast<unsigned>(words.e.height);
    const bool there = row < height * static_cast<unsigned>(words.e.depth);
    const unsigned word = there ? row * words.perRow + edge * WordsPolicy::kAcross : 0, y = row % height;
    const unsigned mask = there ? words.masks[word] : 0, left = there ? words.masks[word - 1] : 0;
    uniteOnce(words.parents, (mask & 1U) != 0 && left >> 31 != 0, nodeOf(word, mask, 0), nodeOf(word - 1, left, 31));
    if (!words.e.corners) return;
    const bool within = there && y % WordsPolicy::kRows != 0;  // else the row's own joins have done it
    const unsigned aboveWord = word - words.perRow;
    const unsigned above = within ? words.masks[aboveWord] : 0, aboveLeft = within ? words.masks[aboveWord - 1] : 0;
    const bool down = (mask & 1U) != 0 && aboveLeft >> 31 != 0 && (above & 1U) == 0 && left >> 31 == 0;
    const bool up = left >> 31 != 0 && (above & 1U) != 0 && aboveLeft >> 31 == 0 && (mask & 1U) == 0;
    uniteOnce(words.parents, down, nodeOf(word, mask, 0), nodeOf(aboveWord - 1, aboveLeft, 31));
    uniteOnce(words.parents, up, nodeOf(word - 1, left, 31), nodeOf(aboveWord, above, 0));
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

/// The first run of a word from a bit on: its bits, and the next ones that `left` has.
struct Run {
    unsigned begin, last;
};
__device__ inline Run takeRun(unsigned& left) {
    const unsigned begin = lowestOf(left), behind = left + (1U << begin);  // carries through the run
    const unsigned last = behind == 0 ? 31 : lowestOf(behind & ~left) - 1;
    left &= behind;
    return {begin, last};
}

/// Numbers from 1 on, and rows of the table, which begin with the root's own run.
__global__ void __launch_bounds__(WordsPolicy::kThreads) number_words(Words words, Table table) {
    __shared__ unsigned runs[WordsPolicy::kThreads * WordsPolicy::kRuns];  // of each root: word, begin and last
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned roots = word < words.count ? words.roots[word] : 0;
    const BlockSum sum = blockSum(__popc(roots));
    if (sum.total == 0) return;
    const unsigned before = words.counts[gridDim.x + blockIdx.x];
    unsigned at = sum.before, run = 0;
    for (unsigned left = roots != 0 ? words.masks[word] : 0; left != 0; ++run) {
        const Run own = takeRun(left);
        if ((roots >> run & 1U) == 0) continue;
        runs[at] = threadIdx.x << 10 | own.begin << 5 | own.last;
        words.parents[word * WordsPolicy::kRuns + run] = kNumbered | (before + ++at);
    }
    __syncthreads();
    table.beginAll(before + 1, sum.total, [&](unsigned k, unsigned field) -> unsigned {
        const unsigned packed = runs[k], of = blockIdx.x * WordsPolicy::kThreads + (packed >> 10);
        const unsigned row = of / words.perRow, height = static_cast<unsigned>(words.e.height);
        const unsigned x = (of - row * words.perRow) * 32, z = row / height, y = row - z * height;
        const unsigned first = x + (packed >> 5 & 31U), last = x + (packed & 31U), area = last - first + 1;
        const auto wide = [&](unsigned long long value) {
            return static_cast<unsigned>(field % 2 == 0 ? value : value >> 32);
        };
        switch (field) {
            case 0:
            case 1: return wide((static_cast<unsigned long long>(first) + last) * area / 2);
            case 2:
            case 3: return wide(static_cast<unsigned long long>(y) * area);
            case 4:
            case 5: return wide(static_cast<unsigned long long>(z) * area);
            case 6: return area;
            case 7: return first;
            case 10: return last;
            case 8:
            case 11: return y;
            case 9:
            case 12: return z;
            default: return 0;
        }
    });
}

/// Sums of a warp's pieces, for its first lane.
__device__ inline Piece warpPiece(Piece piece) {
    for (unsigned apart = 16; apart > 0; apart /= 2)
        piece.add({__shfl_down_sync(kAllLanes, piece.area, apart), __shfl_down_sync(kAllLanes, piece.sumX, apart),
                   __shfl_down_sync(kAllLanes, piece.sumY, apart), __shfl_down_sync(kAllLanes, piece.lowX, apart),
                   __shfl_down_sync(kAllLanes, piece.highX, apart), __shfl_down_sync(kAllLanes, piece.rows, apart)});
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
    // What is a root itself has its run in the table.
    const auto labelOf = [&](unsigned run, bool& root) {
        const unsigned node = word * WordsPolicy::kRuns + run, above = words.parents[node];
        root = (above & kNumbered) != 0 && above != kOutside;
        return root ? above & ~kNumbered : above < node ? numberAbove(words.parents, above) : 0U;
    };
    bool firstRoot = false;
    const unsigned first = mask != 0 ? labelOf(0, firstRoot) : 0;
    const unsigned some = __ballot_sync(kAllLanes, mask != 0);
    if (some == 0) return;
    const unsigned common = __shfl_sync(kAllLanes, first, static_cast<int>(lowestOf(some)));
    Piece ofCommon = kNothing;
    unsigned run = 0;
    for (unsigned left = mask; left != 0; ++run) {
        const Run own = takeRun(left);
        bool root = firstRoot;
        const unsigned label = run == 0 ? first : labelOf(run, root);
        ofRun[run] = label;
        if (root) continue;
        const Piece piece = runOf(x + own.begin, x + own.last, y);
        if (label == common)
            ofCommon.add(piece);
        else if (label != 0)
            tally.add(label, piece, table, blockIdx.x * WordsPolicy::kAcross * 32, blockIdx.y * WordsPolicy::kRows,
                      blockIdx.z);
    }
    ofCommon = warpPiece(ofCommon);
    if (lane == 0 && common != 0 && ofCommon.area != 0)
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

/// Joins what lies on both sides of the tiles' edges, in each slice.
inline void joinTiles(LaunchContext& c, const Task& task, const Words& words) {
    constexpr unsigned kThreads = WordsPolicy::kThreads;
    const unsigned edges = (words.perRow - 1) / WordsPolicy::kAcross;
    const unsigned below = (static_cast<unsigned>(task.height) - 1) / WordsPolicy::kRows;
    const auto rows = static_cast<std::size_t>(task.height) * static_cast<std::size_t>(task.depth);
    if (edges > 0) launch(c, &join_sides_of_tiles, dim3(blocksFor(rows, kThreads).x, edges), dim3(kThreads), 0, words);
    if (below > 0)
        launch(c, &join_rows_of_tiles,
               dim3(blocksFor(std::size_t{below} * words.perRow * 32, kThreads).x, static_cast<unsigned>(task.depth)),
               dim3(kThreads), 0, words);
}

/// What follows the words' forest.
inline void launchWords(LaunchContext& c, const Task& task, bool whole) {
    const Words words = wordsAt(c, task);
    const dim3 block(WordsPolicy::kThreads), chunks(static_cast<unsigned>(wordChunks(task)));
    if (whole || task.depth > 1) launch(c, &join_words, chunks, block, 0, words, whole);
    if (!whole) joinTiles(c, task, words);
    launch(c, &count_words, chunks, block, 0, words);
    launchScanCounts(c, task, words.counts, chunks.x);
    launch(c, &number_words, chunks, block, 0, words, tableOf(c, task));
    launch(c, &write_words, wordTiles(task), block, 0, words, static_cast<unsigned*>(c.address(task.output)),
           tableOf(c, task));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
