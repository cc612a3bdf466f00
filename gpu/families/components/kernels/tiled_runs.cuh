// SPDX-License-Identifier: Apache-2.0
// Idea: a block joins the runs of 256 x 32 pixels in shared memory, and global memory hears of the tile's trees alone.
// Changed from runs: joins in global memory fall to the tiles' edges, and to one root a tile's component.
// Needs: less than 2^27 words. Block: 256 threads, a word each, 17 KiB of shared memory.
// Source: Playne and Hawick 2018 for the two levels, Hennequin et al. 2018 for runs; re-derived.
// Look at: atomics in global memory, and hops to a root: two for nearly every run.
#pragma once

#include "gpu/families/components/words.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void __launch_bounds__(WordsPolicy::kThreads) tiled_runs(Mask<T> mask, Words words) {
    __shared__ unsigned masks[WordsPolicy::kThreads], parents[WordsPolicy::kThreads * WordsPolicy::kRuns];
    constexpr unsigned kAcross = WordsPolicy::kAcross, kRuns = WordsPolicy::kRuns;
    const unsigned bits = voteWord(mask, words.e), own = threadIdx.x, count = __popc(startsOf(bits));
    masks[own] = bits;
    for (unsigned run = 0; run < count; ++run) parents[own * kRuns + run] = own * kRuns + run;
    __syncthreads();
    if (bits != 0) {
        const auto join = [&](unsigned a, unsigned b) { unite(parents, a, b); };
        const unsigned x = own % kAcross;
        if (x > 0) joinSides(bits, own, masks[own - 1], join);
        if (own >= kAcross) {
            const unsigned above = own - kAcross;
            joinRows(bits, own, masks[above], above, words.e.corners, join);
            if (words.e.corners)
                joinCorners(bits, own, masks[above], above, x > 0 ? masks[above - 1] : 0U,
                            x + 1 < kAcross ? masks[above + 1] : 0U, join);
        }
    }
    __syncthreads();
    const TileWord at = tileWord(words);
    if (!at.there) return;
    const unsigned word = words.at(at.wordX, at.y, at.z);
    unsigned roots = 0;
    for (unsigned run = 0; run < count; ++run) {
        const unsigned root = rootOf(parents, own * kRuns + run), rootWord = root / kRuns;
        if (root == own * kRuns + run) roots |= 1U << run;
        const unsigned global = words.at(blockIdx.x * kAcross + rootWord % kAcross,
                                         blockIdx.y * WordsPolicy::kRows + rootWord / kAcross, at.z);
        words.parents[word * kRuns + run] = global * kRuns + root % kRuns;
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
