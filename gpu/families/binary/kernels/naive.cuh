// SPDX-License-Identifier: Apache-2.0
// Idea: a thread looks at the eight neighbours of its pixel and works out whether it goes, pass after pass.
// Changed: nothing, this is where the ladder starts.
// Needs: as many passes as half the thickest part, or as the longest way into the background.
// Block: block_width x block_height threads, no shared memory.
// Source: Guo and Hall, Parallel thinning with two-subiteration algorithms, CACM 1989; re-derived.
// Look at: nine loads for a pixel, most of which found nothing to do for many passes.
#pragma once

#include "gpu/families/binary/launching.cuh"

namespace warplens::gpu::binary {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void naive(Pixels from, Word* to, bool second, Word* changes) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= from.of.width || y >= from.of.height) return;
    Word left = from.at(x, y);
    if (left != 0 && (gone(neighboursOf(from, x, y), second) & 1) != 0) {
        left = 0;
        relaxedStore(changes, Word{1});
    }
    to[from.slice() + static_cast<std::size_t>(y) * from.of.width + x] = left;
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block = tileOf(t), grid = tilesOf(a, block);
    unsigned *const mask = wordsAt(c, a.mask), *const other = wordsAt(c, a.other),
                    *const changes = wordsAt(c, a.changes);
    if (!a.thins) return launch(c, &reach<unsigned>, grid, block, 0, Pixels{mask, a}, other, changes);
    launch(c, &naive<unsigned>, grid, block, 0, Pixels{mask, a}, other, false, changes);
    launch(c, &naive<unsigned>, grid, block, 0, Pixels{other, a}, mask, true, changes);
}

KernelEntry naive_entry() { return {.launch = &launchNaive, .footprint = &tileFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::binary
