// SPDX-License-Identifier: Apache-2.0
// Idea: lanes vote rows into words of 32 bits, and runs of bits are joined, not pixels; the table comes with the
// labels.
// Changed from block_2x2: any connectivity; 2 bytes per pixel between the kernels instead of 4, most of them untouched.
// Needs: less than 2^27 words.
// Block: 256 threads, a word each; 22 KiB of shared memory where labels are written.
// Source: Hennequin, Lacassagne, Cabaret and Meng 2018 (HA4); Lemaitre, Hennequin and Lacassagne 2020; re-derived.
// Look at: joins fall to one for each two runs that touch, and sectors to a word's few.
#pragma once

#include "gpu/families/components/words.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void __launch_bounds__(WordsPolicy::kThreads) runs(Mask<T> mask, Words words) {
    const unsigned bits = voteWord(mask, words.e);
    const TileWord own = tileWord(words);
    if (!own.there) return;
    const unsigned word = words.at(own.wordX, own.y, own.z), count = __popc(startsOf(bits));
    words.masks[word] = bits;
    words.roots[word] = static_cast<std::uint16_t>((1U << count) - 1);
    for (unsigned run = 0; run < count; ++run)
        words.parents[word * WordsPolicy::kRuns + run] = word * WordsPolicy::kRuns + run;
}

inline void launchRuns(LaunchContext& c, const Task& task, const TunableValues&) {
    const Words words = wordsAt(c, task);
    dispatch(c, task, [&]<class T>(const Mask<T>& mask) {
        launch(c, &runs<T>, wordTiles(task), dim3(WordsPolicy::kThreads), 0, mask, words);
    });
}

KernelEntry runs_entry() { return {.link = &launchRuns, .footprint = &wordsFootprint, .forest = Forest::runs}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
