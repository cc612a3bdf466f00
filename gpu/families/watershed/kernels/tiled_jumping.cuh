// SPDX-License-Identifier: Apache-2.0
// Idea: ways are shortened to the tile's edge in shared memory first; what is left walks from tile to tile.
// Changed from walking: a step that stays in the tile is no load from global memory.
// Needs: two launches.
// Block: block_width x block_height threads; a word each.
// Source: our own; after Playne and Hawick 2018, who label components so.
// Look at: sectors loaded beside walking's.
#pragma once

#include "gpu/families/watershed/kernels/walking.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void tiled_jumping(Case of, const Word* uphill, Word* peak) {
    auto* const next = reinterpret_cast<Word*>(dynamicShared);
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    const Word slice = blockIdx.z * static_cast<Word>(of.width) * of.height;
    const auto at = [&](int column, int row) { return slice + static_cast<Word>(row) * of.width + column; };
    const Word me = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    const bool there = x < of.width && y < of.height;
    const Word up = there ? uphill[at(x, y)] : kOutside;
    Word to = me;  // where the way leaves the tile, or ends
    // One that leads through slices leaves the tile as well.
    if (up != kOutside && up >= slice && up - slice < static_cast<Word>(of.width) * of.height) {
        const int upX = static_cast<int>((up - slice) % of.width) - left,
                  upY = static_cast<int>((up - slice) / of.width) - top;
        if (upX >= 0 && upY >= 0 && upX < static_cast<int>(blockDim.x) && upY < static_cast<int>(blockDim.y))
            to = upY * blockDim.x + upX;
    }
    next[me] = to;
    __syncthreads();
    for (Word steps = 1; steps < threads; steps *= 2) {
        const Word further = next[next[me]];
        __syncthreads();
        next[me] = further;
        __syncthreads();
    }
    if (up == kOutside) return;
    const Word end = next[me];
    peak[at(x, y)] = uphill[at(left + static_cast<int>(end % blockDim.x), top + static_cast<int>(end / blockDim.x))];
}

inline void launchTiledJumping(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height")));
    const Case& of = a;
    launch(c, &tiled_jumping<unsigned>,
           dim3(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), static_cast<unsigned>(a.depth)), block,
           sizeof(unsigned) * block.x * block.y, of, wordsAt(c, a.uphill), wordsAt(c, a.peak));
    launch(c, &walking<unsigned>, blocksFor(a.pixels(), kThreads), dim3(kThreads), 0, wordsAt(c, a.peak),
           static_cast<unsigned>(a.pixels()));
}

inline Footprint tiledJumpingFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h, .staged = true};
}

KernelEntry tiled_jumping_entry() { return {.launch = &launchTiledJumping, .footprint = &tiledJumpingFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
