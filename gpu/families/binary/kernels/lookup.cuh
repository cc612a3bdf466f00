// SPDX-License-Identifier: Apache-2.0
// Idea: eight neighbours are 256 cases, so a block works all of them out first and then only looks them up.
// Changed from naive: a table of answers in shared memory instead of some forty operations a pixel.
// Needs: skeletons; whether a hole is reached takes four comparisons and no table.
// Block: block_width x block_height threads, 256 words of shared memory.
// Source: tables of 3 x 3 neighbourhoods, as of Rosenfeld and Pfaltz 1966 and ImageJ; the kernel is our own.
// Look at: operations per pixel, which fall, and loads, which stay.
#pragma once

#include "gpu/families/binary/launching.cuh"

namespace warplens::gpu::binary {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void lookup(Pixels from, Word* to, bool second, Word* changes) {
    __shared__ unsigned goes[256];
    const unsigned threads = blockDim.x * blockDim.y;
    for (unsigned v = threadIdx.y * blockDim.x + threadIdx.x; v < 256; v += threads)
        goes[v] = gone({v, v >> 1, v >> 2, v >> 3, v >> 4, v >> 5, v >> 6, v >> 7}, second) & 1;
    __syncthreads();
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= from.of.width || y >= from.of.height) return;
    Word left = from.at(x, y);
    if (left != 0) {
        const Neighbours n = neighboursOf(from, x, y);
        const unsigned around =
            n.p2 | n.p3 << 1 | n.p4 << 2 | n.p5 << 3 | n.p6 << 4 | n.p7 << 5 | n.p8 << 6 | n.p9 << 7;
        if (goes[around] != 0) {
            left = 0;
            relaxedStore(changes, Word{1});
        }
    }
    to[from.slice() + static_cast<std::size_t>(y) * from.of.width + x] = left;
}

inline void launchLookup(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block = tileOf(t), grid = tilesOf(a, block);
    unsigned *const mask = wordsAt(c, a.mask), *const other = wordsAt(c, a.other),
                    *const changes = wordsAt(c, a.changes);
    launch(c, &lookup<unsigned>, grid, block, 0, Pixels{mask, a}, other, false, changes);
    launch(c, &lookup<unsigned>, grid, block, 0, Pixels{other, a}, mask, true, changes);
}

inline const char* lookupRefusal(const Case& of) {
    return of.thins ? nullptr : "a table tells which pixel of a skeleton goes: holes take bits";
}

KernelEntry lookup_entry() { return {.launch = &launchLookup, .footprint = &tileFootprint, .refusal = &lookupRefusal}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::binary
