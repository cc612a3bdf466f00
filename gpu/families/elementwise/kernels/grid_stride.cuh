// SPDX-License-Identifier: Apache-2.0
// Idea: as many blocks as fill the GPU; each thread goes on by the grid's width until no value is left.
// Changed from naive: the grid's size follows the device, not the picture, and a value's place needs no row or column.
// Needs: nothing; the picture is one row of values.
// Block: block_width threads, no shared memory.
// Source: NVIDIA Pro Tip, write flexible kernels with grid-stride loops, 2013; re-derived.
// Look at: blocks in all, and loads per thread.
#pragma once

#include "gpu/families/elementwise/launching.cuh"

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void grid_stride(Values<T> values, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) values.compute(i);
}

inline void launchGridStride(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Values<T>& values) {
        const auto most = static_cast<unsigned>(t.at("blocks_per_multiprocessor") * a.multiprocessors);
        const dim3 block = rowOf(t), all = blocksFor(a.count(), block.x);
        launch(c, &grid_stride<T>, dim3(std::min(all.x, most)), block, 0, values, a.count());
    });
}

inline Footprint gridStrideFootprint(const Case&, const TunableValues& t) {
    return alongValues(t.at("block_width"), 1);
}

KernelEntry grid_stride_entry() { return {.launch = &launchGridStride, .footprint = &gridStrideFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
