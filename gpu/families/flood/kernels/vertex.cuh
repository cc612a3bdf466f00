// SPDX-License-Identifier: Apache-2.0
// Idea: at each level every pixel that nothing has reached asks its neighbours whether they are of the level before.
// Changed from: -
// Needs: a launch a level; what it found is the only barrier between two levels.
// Block: block_width threads along a row; nothing shared.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 15.3 (bottom-up BFS).
// Look at: the whole picture is read at every level, however few pixels the level has.
#pragma once

#include "gpu/families/flood/launching.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

template <class F>
__global__ void vertex(F field, unsigned level, unsigned slot) {
    if (field.slots[slot].count == 0) return;
    using Key = typename F::Key;
    const unsigned across = (field.width + blockDim.x - 1) / blockDim.x, row = blockIdx.x / across;
    const unsigned x = (blockIdx.x - row * across) * blockDim.x + threadIdx.x, pixel = row * field.width + x;
    if (x >= field.width || relaxedLoad(&field.keys[pixel]) != emptyKey<Key>()) return;
    Key best = emptyKey<Key>();
    field.forNeighbours(pixel, [&](unsigned next) {
        const Key key = relaxedLoad(&field.keys[next]);
        if (key == emptyKey<Key>() || levelOf(key) != level) return;
        const Key own = keyOf<Key>(level + 1, seedOf(key));
        if (own < best && field.accepts(seedOf(key), pixel)) best = own;
    });
    if (best == emptyKey<Key>()) return;
    relaxedStore(&field.keys[pixel], best);
    relaxedStore(&field.slots[slot + 1].count, 1U);
}

inline void launchVertex(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    dispatch(c, flood, [&]<class F>(F field) {
        const unsigned blocks = field.height * field.depth * blocksFor(field.width, blockWidthOf(t));
        for (unsigned i = 0; i < batch.launches; ++i)
            launch(c, &vertex<F>, dim3(blocks), dim3(blockWidthOf(t)), 0, field, batch.level + i, i);
    });
}

KernelEntry vertex_entry() { return {.levels = &launchVertex, .footprint = &pixelFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
