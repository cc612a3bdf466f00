// SPDX-License-Identifier: Apache-2.0
// Idea: the picture never changes while it is flooded, so it is read through a texture, past the coherent path.
// Changed from privatised: what a neighbour's values are is fetched by a texture object; queues and keys are as before.
// Needs: a launch a level; a place in the queue for each pixel; at most 134,217,728 values, as many as a texture has.
// Block: block_width threads, 8,200 bytes of shared memory.
// Source: Luo, Wong and Hwu, An Effective GPU Implementation of Breadth-First Search, 2010; re-derived.
// Look at: once textures had the only cache; since L1 caches global loads as well, the fetch gains nothing by itself.
#pragma once

#include "gpu/families/flood/private_queue.cuh"
#include "gpu/kernels/texture.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

struct ByTexture {
    template <class T>
    Texels<T> operator()(const T* values, std::size_t count) const {
        return texelsOf(values, count);
    }
};

KernelEntry texture_entry() {
    return {.levels = &launchPrivateQueues<ByTexture>, .footprint = &pixelFootprint, .queues = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
