// SPDX-License-Identifier: Apache-2.0
// Idea: a projection with several threads per line: one warp per row along x, a column of threads along y and z.
// Changed from ray: every load of a warp is a row, along x as well; few long lines fill the GPU.
// Needs: nothing; any axis.
// Block: 32 x block_height threads; 32 block_height partial lines in shared memory along y and z.
// Source: ours.
// Look at: the two ways through: lanes of a line meet by shuffles, threads of a column in shared memory.
#pragma once

#include "gpu/families/reduction/lines.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

/// Merges the lines of a warp's lanes into that of lane 0.
template <class T>
__device__ void mergeAcross(Line<T>& line) {
    for (unsigned apart = 16; apart >= 1; apart /= 2) {
        Line<T> other;
        other.sum = __shfl_down_sync(0xffffffffU, line.sum, apart);
        other.count = __shfl_down_sync(0xffffffffU, line.count, apart);
        other.low = __shfl_down_sync(0xffffffffU, line.low, apart);
        other.high = __shfl_down_sync(0xffffffffU, line.high, apart);
        line.merge(other);
    }
}

template <class T>
__global__ void ray_split(Rays<T> rays) {
    Line<T> line;
    if (rays.inner == 1) {
        const Wide output = Wide{blockIdx.x} * blockDim.y + threadIdx.y;
        if (output >= rays.outputs) return;  // a whole warp
        const T* const first = rays.lineOf(output);
        for (Wide i = threadIdx.x; i < rays.length; i += 32) line.add(first[i]);
        mergeAcross(line);
        if (threadIdx.x == 0) rays.store(output, line);
        return;
    }
    const Wide output = Wide{blockIdx.x} * 32 + threadIdx.x;
    if (output < rays.outputs) {
        const T* const first = rays.lineOf(output);
        for (Wide i = threadIdx.y; i < rays.length; i += blockDim.y) line.add(first[i * rays.inner]);
    }
    const SharedCells<Line<T>> lines{blockDim.y * 32};
    lines.put(threadIdx.y * 32 + threadIdx.x, line);
    __syncthreads();  // every thread's part is there
    if (threadIdx.y != 0 || output >= rays.outputs) return;
    for (unsigned y = 1; y < blockDim.y; ++y) line.merge(lines.get(y * 32 + threadIdx.x));
    rays.store(output, line);
}

inline void launchRaySplit(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchRays(c, a, [&]<class T>(const Rays<T>& rays) {
        const auto rows = static_cast<unsigned>(t.at("block_height"));
        const unsigned perBlock = rays.inner == 1 ? rows : 32;
        launch(c, &ray_split<T>, dim3(static_cast<unsigned>((rays.outputs + perBlock - 1) / perBlock)), dim3(32, rows),
               SharedCells<Line<T>>::bytes(32 * rows), rays);
    });
}

inline Footprint raySplitFootprint(const Case& k, const TunableValues& t) {
    const int rows = t.at("block_height");
    return {.blockWidth = 32,
            .blockHeight = rows,
            .tileWidth = k.lines.inner == 1 ? rows : 32,
            .tileHeight = 1,
            .order = Order::rows};
}

KernelEntry ray_split_entry() {
    return {.launch = &launchRaySplit, .footprint = &raySplitFootprint, .statistics = false, .projects = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
