// SPDX-License-Identifier: Apache-2.0
// Idea: a block makes the trees of its tile in shared memory; what lies on both sides of a tile's edge is joined after.
// Changed from union_find: most joins never leave the SM, and trees come to global memory flat.
// Needs: tiles of a slice; slices of a volume are joined in global memory.
// Block: block_width x block_height threads, 4 bytes of shared memory each.
// Source: Komura 2015; Playne and Hawick 2018; re-derived.
// Look at: atomics in global memory fall to the tiles' edges.
#pragma once

#include "gpu/families/components/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void block_local(Mask<T> mask, unsigned* parents, Extent e) {
    unsigned* const local = reinterpret_cast<unsigned*>(dynamicShared);
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    const unsigned own = threadIdx.y * blockDim.x + threadIdx.x;
    const bool there = x < e.width && y < e.height;
    const bool inside = there && mask[e.at(x, y, z)];
    local[own] = inside ? own : kOutside;
    __syncthreads();
    if (inside) {
        eachBefore(e, [&](int dx, int dy, int dz) {
            const int tx = static_cast<int>(threadIdx.x) + dx, ty = static_cast<int>(threadIdx.y) + dy;
            if (dz != 0 || tx < 0 || ty < 0 || tx >= static_cast<int>(blockDim.x)) return;
            const unsigned neighbour = ty * blockDim.x + tx;
            if (relaxedLoad(&local[neighbour]) != kOutside) unite(local, own, neighbour);
        });
    }
    __syncthreads();
    if (!there) return;
    unsigned parent = kOutside;
    if (inside) {
        const unsigned root = rootOf(local, own);
        parent = e.at(blockIdx.x * blockDim.x + root % blockDim.x, blockIdx.y * blockDim.y + root / blockDim.x, z);
    }
    parents[e.at(x, y, z)] = parent;
}

/// Joins what lies in different tiles.
__global__ void join_tiles(unsigned* parents, Extent e) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= e.width || y >= e.height) return;
    const bool edge = threadIdx.x == 0 || threadIdx.y == 0 || threadIdx.x == blockDim.x - 1 || z > 0;
    if (!edge || relaxedLoad(&parents[e.at(x, y, z)]) == kOutside) return;
    eachBefore(e, [&](int dx, int dy, int dz) {
        const int tx = static_cast<int>(threadIdx.x) + dx, ty = static_cast<int>(threadIdx.y) + dy;
        if (dz == 0 && tx >= 0 && ty >= 0 && tx < static_cast<int>(blockDim.x)) return;
        if (!e.contains(x + dx, y + dy, z + dz)) return;
        const unsigned neighbour = e.at(x + dx, y + dy, z + dz);
        if (relaxedLoad(&parents[neighbour]) != kOutside) unite(parents, e.at(x, y, z), neighbour);
    });
}

inline void launchBlockLocal(LaunchContext& c, const Task& task, const TunableValues& t) {
    const dim3 block(static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height")));
    const dim3 grid(ceilDiv(task.width, static_cast<int>(block.x)), ceilDiv(task.height, static_cast<int>(block.y)),
                    static_cast<unsigned>(task.depth));
    dispatch(c, task, [&]<class T>(const Mask<T>& mask) {
        launch(c, &block_local<T>, grid, block, block.x * block.y * sizeof(unsigned), mask, parentsOf(c, task),
               extentOf(task));
    });
    launch(c, &join_tiles, grid, block, 0, parentsOf(c, task), extentOf(task));
}

inline Footprint blockLocalFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h, .staged = true};
}

KernelEntry block_local_entry() { return {.link = &launchBlockLocal, .footprint = &blockLocalFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
