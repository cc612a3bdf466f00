// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one value; its index says which.
// Changed: nothing, this is where the ladder starts.
// Needs: nothing; threads beyond the last column and row do nothing.
// Block: block_width x block_height threads, no shared memory.
// Source: Hwu, Kirk and El Hajj, Programming Massively Parallel Processors, chapters 2 and 3; re-derived.
// Look at: idle threads at the right and lower edge, and sectors per load: four of floats, one of bytes.
#pragma once

#include "gpu/families/elementwise/launching.cuh"
#include "gpu/kernels/ceil_div.hpp"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void naive(Values<T> values) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= values.of.width || y >= values.of.height) return;
    values.compute((static_cast<std::size_t>(blockIdx.z) * values.of.height + y) * values.of.width + x);
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Values<T>& values) {
        const dim3 block(t.at("block_width"), t.at("block_height"));
        const int slices = a.depth * (a.mixes() ? 1 : a.outputs);
        launch(c, &naive<T>, dim3(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices), block, 0, values);
    });
}

inline Footprint naiveFootprint(const Case&, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

KernelEntry naive_entry() { return {.launch = &launchNaive, .footprint = &naiveFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
