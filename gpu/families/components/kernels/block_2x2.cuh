// SPDX-License-Identifier: Apache-2.0
// Idea: with 8 neighbours the pixels of a 2 x 2 block always belong together, so that blocks are joined, not pixels.
// Changed from block_local: a quarter of the nodes, four neighbours each, and no shared memory.
// Needs: 8 neighbours, a picture; with 4 a block may hold two components.
// Block: block_width x block_height threads, 4 pixels each.
// Source: Allegretti, Bolelli and Grana 2020 (block-based union-find); re-derived, with a block's first pixel as its
// node, so that roots are in raster order.
// Look at: loads per pixel, and how often lanes wait for one that joins.
#pragma once

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

/// The pixels of a block: 0 and 1 above 2 and 3.
template <class Inside>
__device__ unsigned blockBits(const Extent& e, int x, int y, Inside inside) {
    unsigned bits = 0;
    for (int k = 0; k < 4; ++k) {
        const int px = x + k % 2, py = y + k / 2;
        if (px < e.width && py < e.height && inside(e.at(px, py, 0))) bits |= 1U << k;
    }
    return bits;
}

__device__ inline unsigned firstOf(const Extent& e, int x, int y, unsigned bits) {
    const int k = __ffs(static_cast<int>(bits)) - 1;
    return e.at(x + k % 2, y + k / 2, 0);
}

/// Each pixel inside below the first of its block.
template <class T>
__global__ void begin_blocks(Mask<T> mask, unsigned* parents, Extent e) {
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    const unsigned bits = blockBits(e, x, y, [&](unsigned i) { return mask[i]; });
    const unsigned first = bits != 0 ? firstOf(e, x, y, bits) : kOutside;
    for (int k = 0; k < 4; ++k) {
        const int px = x + k % 2, py = y + k / 2;
        if (px < e.width && py < e.height) parents[e.at(px, py, 0)] = (bits >> k & 1U) != 0 ? first : kOutside;
    }
}

__global__ void join_blocks(unsigned* parents, Extent e) {
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    const auto inside = [&](unsigned i) { return relaxedLoad(&parents[i]) != kOutside; };
    const unsigned bits = blockBits(e, x, y, inside);
    if (bits == 0) return;
    const unsigned own = firstOf(e, x, y, bits);
    // Any of the block's pixels along a side touches both of the neighbour's along it.
    const auto join = [&](bool side, int px, int py) {
        if (!side || !e.contains(px, py, 0) || !inside(e.at(px, py, 0))) return false;
        unite(parents, own, e.at(px, py, 0));
        return true;
    };
    const bool left = (bits & 5U) != 0, top = (bits & 3U) != 0;
    if (!join(left, x - 1, y)) join(left, x - 1, y + 1);
    if (!join(top, x, y - 1)) join(top, x + 1, y - 1);
    join((bits & 1U) != 0, x - 1, y - 1);
    join((bits & 2U) != 0, x + 2, y - 1);
}

inline void launchBlocks(LaunchContext& c, const Task& task, const TunableValues& t) {
    const dim3 block(static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height")));
    const dim3 grid(ceilDiv(task.width, 2 * static_cast<int>(block.x)),
                    ceilDiv(task.height, 2 * static_cast<int>(block.y)));
    dispatch(c, task, [&]<class T>(const Mask<T>& mask) {
        launch(c, &begin_blocks<T>, grid, block, 0, mask, parentsOf(c, task), extentOf(task));
    });
    launch(c, &join_blocks, grid, block, 0, parentsOf(c, task), extentOf(task));
}

inline Footprint blocksFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = 2 * w, .tileHeight = 2 * h};
}

KernelEntry block_2x2_entry() {
    return {.link = &launchBlocks, .footprint = &blocksFootprint, .faces = false, .volumes = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
