// SPDX-License-Identifier: Apache-2.0
// Idea: one thread compares several values of a column.
// Changed: fewer threads, each with more to do.
// Block: block_width x block_height threads, no shared memory.
#pragma once

#include "tests/families/toy/launching.cuh"

namespace warplens::gpu::toy {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void coarsened(Planes<T> planes, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y * rows + threadIdx.y;
    for (int i = 0; i < rows; ++i) planes.threshold(x, y + i * blockDim.y, blockIdx.z);
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Planes<T>& planes) {
        const dim3 block = blockOf(t);
        const int rows = t.at("outputs_per_thread");
        const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y * rows), a.planes);
        launch(c, &coarsened<T>, grid, block, 0, planes, rows);
    });
}

inline Footprint coarsenedFootprint(const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h * t.at("outputs_per_thread")};
}

KernelEntry coarsened_entry() { return {.launch = &launchCoarsened, .footprint = &coarsenedFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::toy
