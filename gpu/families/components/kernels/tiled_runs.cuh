// SPDX-License-Identifier: Apache-2.0
// Idea: a block joins the runs of 256 x 32 pixels in shared memory, and global memory hears of the tile's trees alone.
// Changed from runs: joins in global memory fall to the tiles' edges, and to one root a tile's component.
// Needs: less than 2^27 words.
// Block: 256 threads, a word each, 18 KiB of shared memory.
// Source: Playne and Hawick 2018 for the two levels, Hennequin et al. 2018 for runs; re-derived.
// Look at: atomics in global memory, and hops to a root: two for nearly every run.
#pragma once

#include "gpu/families/components/words.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

/// A tile's nodes in shared memory, a word's one behind the other and one place left out, so that lanes which look at
/// the same run of their words meet in no bank.
struct TileNodes {
    static constexpr unsigned kStride = WordsPolicy::kRuns + 1;
    unsigned parents[WordsPolicy::kThreads * kStride];

    __device__ static unsigned placeOf(unsigned word, unsigned mask, unsigned bit) {
        return nodeOf(0, mask, bit) + word * kStride;
    }
};

/// Calls join(run, place) for each run of a row before that a run of this word touches: the runs of `mask` one after
/// another, `begin()` before those of each.
template <class Begin, class Join>
__device__ void eachTouch(unsigned mask, unsigned above, unsigned aboveWord, bool corners, Begin begin, Join join) {
    unsigned run = 0;
    for (unsigned left = mask; left != 0; ++run) {
        const unsigned behind = left + (left & (~left + 1));  // carries through the run
        const unsigned own = left & ~behind;
        left &= behind;
        begin(run);
        unsigned touched = above & (corners ? own | own << 1 | own >> 1 : own);
        for (touched &= ~(touched << 1); touched != 0; touched &= touched - 1)
            join(run, TileNodes::placeOf(aboveWord, above, lowestOf(touched)));
    }
}

template <class T>
__global__ void __launch_bounds__(WordsPolicy::kThreads) tiled_runs(Mask<T> mask, Words words) {
    __shared__ unsigned masks[WordsPolicy::kThreads];
    __shared__ TileNodes nodes;
    unsigned* const parents = nodes.parents;
    constexpr unsigned kAcross = WordsPolicy::kAcross, kRuns = WordsPolicy::kRuns, kStride = TileNodes::kStride;
    const unsigned bits = voteWord(mask, words.e), own = threadIdx.x, count = __popc(startsOf(bits));
    const unsigned first = own * kStride, x = own % kAcross;
    masks[own] = bits;
    __syncthreads();
    const bool corners = words.e.corners;
    const unsigned aboveWord = own - kAcross, above = own >= kAcross ? masks[aboveWord] : 0;
    const unsigned before = x > 0 ? masks[own - 1] : 0;
    const bool side = (bits & 1U) != 0 && before >> 31 != 0;
    // The first that a run touches is its parent at once.
    {
        unsigned at = 0, parent = 0;
        eachTouch(
            bits, above, aboveWord, corners,
            [&](unsigned run) {
                if (run > 0) parents[at] = parent;
                at = parent = first + run;
            },
            [&](unsigned, unsigned place) {
                if (parent == at) parent = place;
            });
        if (bits != 0) parents[at] = parent;
    }
    __syncthreads();
#pragma unroll 1
    for (int jump = 0; jump < 2; ++jump)
        for (unsigned run = 0; run < count; ++run) {
            const unsigned parent = relaxedLoad(&parents[first + run]);
            if (parent == first + run) continue;
            const unsigned next = relaxedLoad(&parents[parent]);
            if (next != parent) relaxedStore(&parents[first + run], next);
        }
    if (bits != 0) {
        if (side) unite(parents, first, TileNodes::placeOf(own - 1, before, 31));
        bool had = false;
        eachTouch(
            bits, above, aboveWord, corners, [&](unsigned) { had = false; },
            [&](unsigned run, unsigned place) {
                if (had) unite(parents, first + run, place);
                had = true;
            });
        if (corners && own >= kAcross) {
            const unsigned left = x > 0 ? masks[aboveWord - 1] : 0, right = x + 1 < kAcross ? masks[aboveWord + 1] : 0;
            if ((bits & 1U) != 0 && (left >> 31) != 0 && (above & 1U) == 0)
                unite(parents, first, TileNodes::placeOf(aboveWord - 1, left, 31));
            if ((bits >> 31) != 0 && (right & 1U) != 0 && (above >> 31) == 0)
                unite(parents, first + count - 1, TileNodes::placeOf(aboveWord + 1, right, 0));
        }
    }
    __syncthreads();
    const TileWord at = tileWord(words);
    if (!at.there) return;
    const unsigned word = words.at(at.wordX, at.y, at.z);
    const unsigned corner = words.at(blockIdx.x * kAcross, blockIdx.y * WordsPolicy::kRows, at.z);
    unsigned roots = 0;
    const auto global = [&](unsigned run) {
        const unsigned root = rootOf(parents, first + run), rootWord = root / kStride;
        if (root == first + run) roots |= 1U << run;
        return (corner + rootWord / kAcross * words.perRow + rootWord % kAcross) * kRuns + root % kStride;
    };
    for (unsigned run = 0; run < count; run += 4) {
        unsigned four[4] = {};
#pragma unroll
        for (unsigned k = 0; k < 4; ++k)
            if (run + k < count) four[k] = global(run + k);
        float asFloats[4];
        memcpy(asFloats, four, sizeof asFloats);
        *reinterpret_cast<float4*>(words.parents + word * kRuns + run) =
            make_float4(asFloats[0], asFloats[1], asFloats[2], asFloats[3]);
    }
    words.masks[word] = bits;
    words.roots[word] = static_cast<std::uint16_t>(roots);
}

inline void launchTiledRuns(LaunchContext& c, const Task& task, const TunableValues&) {
    const Words words = wordsAt(c, task);
    dispatch(c, task, [&]<class T>(const Mask<T>& mask) {
        launch(c, &tiled_runs<T>, wordTiles(task), dim3(WordsPolicy::kThreads), 0, mask, words);
    });
}

inline Footprint tiledRunsFootprint(const TunableValues& t) {
    Footprint footprint = wordsFootprint(t);
    footprint.staged = true;
    return footprint;
}

KernelEntry tiled_runs_entry() {
    return {.link = &launchTiledRuns, .footprint = &tiledRunsFootprint, .forest = Forest::tiledRuns};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
