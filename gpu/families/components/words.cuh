// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows as words of 32 pixels, a bit each. A node is a run of bits within a word, 16 at most; nodes are numbered as
// pixels are, row by row, so that a component's first node has its first pixel.

#include "gpu/families/components/launching.cuh"

#include <cstring>

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

struct WordsPolicy {
    static constexpr unsigned kRuns = 16;      ///< nodes of a word
    static constexpr unsigned kThreads = 256;  ///< of every kernel: a word each
    static constexpr unsigned kAcross = 8;     ///< words of a tile along x
    static constexpr unsigned kRows = kThreads / kAcross;
};

/// The words of a picture and what is kept of them.
struct Words {
    Extent e;
    unsigned perRow, count;
    unsigned* masks;
    unsigned* parents;     ///< kRuns a word
    std::uint16_t* roots;  ///< bits: runs that may be, then those that are roots
    unsigned* counts;      ///< of roots, a chunk of kThreads words; behind them those before each

    __device__ unsigned at(unsigned wordX, unsigned y, unsigned z) const { return (z * e.height + y) * perRow + wordX; }
};

/// A word's first bits of runs.
__device__ inline unsigned startsOf(unsigned mask) { return mask & ~(mask << 1); }
__device__ inline unsigned nodeOf(unsigned word, unsigned mask, unsigned bit) {
    return word * WordsPolicy::kRuns + __popc(startsOf(mask) & ((2U << bit) - 1)) - 1;
}
__device__ inline unsigned lowestOf(unsigned bits) { return __ffs(static_cast<int>(bits)) - 1; }

/// Calls join(node, node) once for each run of `mask` and each of `other`, a row before it, that touch within the
/// words.
template <class Join>
__device__ void joinRows(unsigned mask, unsigned word, unsigned other, unsigned otherWord, bool corners, Join join) {
    const auto each = [&](unsigned places, int across) {
        for (; places != 0; places &= places - 1) {
            const unsigned bit = lowestOf(places);
            join(nodeOf(word, mask, bit), nodeOf(otherWord, other, bit + across));
        }
    };
    each(startsOf(mask & other), 0);
    if (!corners) return;
    // Corner to corner, where neither run goes on above or below the other.
    each(mask & (other >> 1) & ~other & ~(mask >> 1), 1);
    each(mask & (other << 1) & ~other & ~(mask << 1), -1);
}

/// The same across the sides of words, of masks left and right of `other`, or 0.
template <class Join>
__device__ void joinCorners(unsigned mask, unsigned word, unsigned other, unsigned otherWord, unsigned left,
                            unsigned right, Join join) {
    if ((mask & 1U) != 0 && (left >> 31) != 0 && (other & 1U) == 0)
        join(nodeOf(word, mask, 0), nodeOf(otherWord - 1, left, 31));
    if ((mask >> 31) != 0 && (right & 1U) != 0 && (other >> 31) == 0)
        join(nodeOf(word, mask, 31), nodeOf(otherWord + 1, right, 0));
}

template <class Join>
__device__ void joinSides(unsigned mask, unsigned word, unsigned left, Join join) {
    if ((mask & 1U) != 0 && (left >> 31) != 0) join(nodeOf(word, mask, 0), nodeOf(word - 1, left, 31));
}

/// This thread's word of a tile: 32 rows of 8.
struct TileWord {
    unsigned wordX, y, z;
    bool there;
};

__device__ inline TileWord tileWord(const Words& words) {
    const unsigned wordX = blockIdx.x * WordsPolicy::kAcross + threadIdx.x % WordsPolicy::kAcross;
    const unsigned y = blockIdx.y * WordsPolicy::kRows + threadIdx.x / WordsPolicy::kAcross;
    return {wordX, y, blockIdx.z, wordX < words.perRow && y < static_cast<unsigned>(words.e.height)};
}

/// Bytes 32 at a time: the word of each lane from what it loads itself.
__device__ inline unsigned loadWord(const unsigned char* from, float level) {
    unsigned bits = 0;
#pragma unroll
    for (unsigned part = 0; part < 2; ++part) {
        const float4 four = reinterpret_cast<const float4*>(from)[part];
        const float floats[4] = {four.x, four.y, four.z, four.w};
        unsigned words[4];
        memcpy(words, floats, sizeof words);
#pragma unroll
        for (unsigned i = 0; i < 16; ++i)
            bits |= (static_cast<float>(words[i / 4] >> (8 * (i % 4)) & 0xffU) > level ? 1U : 0U) << (16 * part + i);
    }
    return bits;
}

/// The word of each lane, by votes of the warp over its words one after another.
template <class T>
__device__ unsigned voteWord(const Mask<T>& mask, const Extent& e) {
    if constexpr (sizeof(T) == 1) {
        if (mask.channels == 1 && e.width % 32 == 0) {
            const unsigned x = blockIdx.x * WordsPolicy::kAcross * 32 + threadIdx.x % WordsPolicy::kAcross * 32;
            const unsigned y = blockIdx.y * WordsPolicy::kRows + threadIdx.x / WordsPolicy::kAcross;
            if (x >= static_cast<unsigned>(e.width) || y >= static_cast<unsigned>(e.height)) return 0;
            return loadWord(mask.values + e.at(x, y, blockIdx.z), mask.level);
        }
    }
    const unsigned lane = threadIdx.x % 32, firstWord = threadIdx.x - lane;
    const unsigned x0 = blockIdx.x * WordsPolicy::kAcross * 32 + lane;
    const unsigned y0 = blockIdx.y * WordsPolicy::kRows + firstWord / WordsPolicy::kAcross;
    unsigned own = 0;
#pragma unroll
    for (unsigned i = 0; i < 32; ++i) {
        const unsigned x = x0 + i % WordsPolicy::kAcross * 32, y = y0 + i / WordsPolicy::kAcross;
        const bool there = x < static_cast<unsigned>(e.width) && y < static_cast<unsigned>(e.height);
        const unsigned votes = __ballot_sync(kAllLanes, there && mask[e.at(x, y, blockIdx.z)]);
        if (i == lane) own = votes;
    }
    return own;
}

inline unsigned wordsPerRow(const Task& task) { return ceilDiv(task.width, 32); }
inline std::size_t wordsOf(const Task& task) {
    return std::size_t{wordsPerRow(task)} * static_cast<std::size_t>(task.height) *
           static_cast<std::size_t>(task.depth);
}
inline std::size_t wordChunks(const Task& task) {
    return (wordsOf(task) + WordsPolicy::kThreads - 1) / WordsPolicy::kThreads;
}

inline Words wordsAt(LaunchContext& c, const Task& task) {
    const std::size_t count = wordsOf(task);
    auto* const parents = static_cast<unsigned*>(c.address(task.scratch));
    unsigned* const masks = parents + count * WordsPolicy::kRuns;
    unsigned* const counts = masks + count;
    return {extentOf(task), wordsPerRow(task), static_cast<unsigned>(count),
            masks,          parents,           reinterpret_cast<std::uint16_t*>(counts + 2 * wordChunks(task)),
            counts};
}

inline std::size_t wordsScratch(const Task& task) {
    return wordsOf(task) * ((WordsPolicy::kRuns + 1) * sizeof(unsigned) + sizeof(std::uint16_t)) +
           2 * wordChunks(task) * sizeof(unsigned);
}

inline dim3 wordTiles(const Task& task) {
    return dim3((wordsPerRow(task) + WordsPolicy::kAcross - 1) / WordsPolicy::kAcross,
                ceilDiv(task.height, static_cast<int>(WordsPolicy::kRows)), static_cast<unsigned>(task.depth));
}

inline Footprint wordsFootprint(const TunableValues&) {
    return {.blockWidth = static_cast<int>(WordsPolicy::kThreads),
            .blockHeight = 1,
            .tileWidth = static_cast<int>(WordsPolicy::kAcross) * 32,
            .tileHeight = static_cast<int>(WordsPolicy::kRows)};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
