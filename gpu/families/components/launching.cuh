// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: which pixels are inside, who their neighbours are, and where scratch lies.

#include "gpu/families/components/arguments.hpp"
#include "gpu/families/components/forest.cuh"
#include "gpu/kernels/ceil_div.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

constexpr unsigned kAllLanes = 0xffffffffU;

struct Extent {
    int width, height, depth;
    bool corners;

    __device__ unsigned pixels() const { return static_cast<unsigned>(width) * height * depth; }
    __device__ unsigned at(int x, int y, int z) const { return (static_cast<unsigned>(z) * height + y) * width + x; }
    __device__ bool contains(int x, int y, int z) const {
        return x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
    }
};

inline Extent extentOf(const Task& task) { return {task.width, task.height, task.depth, task.corners}; }

/// Which pixels are inside.
template <class T>
struct Mask {
    const T* values;
    std::size_t plane;
    int channels;
    float level;

    __device__ bool operator[](std::size_t i) const {
        bool inside = static_cast<float>(values[i]) > level;
        for (int c = 1; c < channels; ++c) inside = inside && static_cast<float>(values[c * plane + i]) > level;
        return inside;
    }
};

/// Calls f(dx, dy, dz) for the neighbours that come before a pixel in raster order.
template <class F>
__device__ void eachBefore(const Extent& e, F f) {
    if (!e.corners) {
        f(-1, 0, 0);
        f(0, -1, 0);
        if (e.depth > 1) f(0, 0, -1);
        return;
    }
    f(-1, 0, 0);
    for (int dx = -1; dx <= 1; ++dx) f(dx, -1, 0);
    if (e.depth == 1) return;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) f(dx, dy, -1);
}

/// Calls f(Mask<T>) for the picture's type.
template <class F>
void dispatch(LaunchContext& c, const Task& task, F f) {
    io::withSampleType(task.type, [&]<class T>(T) {
        f(Mask<T>{static_cast<const T*>(c.address(task.input)), task.pixels(), task.channels, task.level});
    });
}

inline unsigned* parentsOf(LaunchContext& c, const Task& task) {
    return static_cast<unsigned*>(c.address(task.scratch));
}

/// Each pixel inside its own parent.
template <class T>
__global__ void begin_forest(Mask<T> mask, unsigned* parents, unsigned pixels) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) parents[i] = mask[i] ? i : kOutside;
}

inline dim3 blocksFor(std::size_t threads, unsigned block) {
    return dim3(static_cast<unsigned>((threads + block - 1) / block));
}

inline void launchBeginForest(LaunchContext& c, const Task& task, unsigned block) {
    dispatch(c, task, [&]<class T>(const Mask<T>& mask) {
        launch(c, &begin_forest<T>, blocksFor(task.pixels(), block), dim3(block), 0, mask, parentsOf(c, task),
               static_cast<unsigned>(task.pixels()));
    });
}

inline Footprint pixelsFootprint(const TunableValues& t) {
    const int threads = t.at("block_width");
    return {.blockWidth = threads, .blockHeight = 1, .tileWidth = threads, .tileHeight = 1};
}

/// Sums of a block's threads, for blocks of whole warps.
__device__ inline unsigned warpInclusive(unsigned sum) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        const unsigned before = __shfl_up_sync(kAllLanes, sum, apart);
        if (lane >= apart) sum += before;
    }
    return sum;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
