// SPDX-License-Identifier: Apache-2.0
// Idea: one thread compares one value with the level.
// Changed: nothing, this is where the ladder starts.
// Block: block_width x block_height threads, no shared memory.
#pragma once

#include "tests/families/toy/launching.cuh"

namespace warplens::gpu::toy {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void plain(Planes<T> planes) {
    planes.threshold(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z);
}

inline void launchPlain(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Planes<T>& planes) {
        const dim3 block = blockOf(t);
        const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), a.planes);
        launch(c, &plain<T>, grid, block, 0, planes);
    });
}

inline Footprint plainFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

KernelEntry plain_entry() { return {.launch = &launchPlain, .footprint = &plainFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::toy
