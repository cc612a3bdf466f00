// SPDX-License-Identifier: Apache-2.0
// Idea: a pixel joins its tree with those of its neighbours, once; trees are flattened afterwards.
// Changed from propagation: one pass whatever the picture, and a way of a few hops to each root.
// Needs: atomics on 32 bits.
// Block: block_width threads, no shared memory.
// Source: Oliveira and Lotufo 2010; Komura 2015; Playne and Hawick 2018; compare-and-swap and splitting of paths as
// Jayanti and Tarjan 2016.
// Look at: loads are the same for every picture but for the hops, which depend on it.
#pragma once

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

__global__ void union_find(unsigned* parents, Extent e) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= e.pixels() || relaxedLoad(&parents[i]) == kOutside) return;
    const auto width = static_cast<unsigned>(e.width), height = static_cast<unsigned>(e.height);
    const int x = static_cast<int>(i % width), y = static_cast<int>(i / width % height),
              z = static_cast<int>(i / width / height);
    eachBefore(e, [&](int dx, int dy, int dz) {
        if (!e.contains(x + dx, y + dy, z + dz)) return;
        const unsigned neighbour = e.at(x + dx, y + dy, z + dz);
        if (relaxedLoad(&parents[neighbour]) != kOutside) unite(parents, i, neighbour);
    });
}

inline void launchUnionFind(LaunchContext& c, const Task& task, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    launchBeginForest(c, task, block);
    launch(c, &union_find, blocksFor(task.pixels(), block), dim3(block), 0, parentsOf(c, task), extentOf(task));
}

KernelEntry union_find_entry() { return {.link = &launchUnionFind, .footprint = &pixelsFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
