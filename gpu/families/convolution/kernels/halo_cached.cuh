// SPDX-License-Identifier: Apache-2.0
// Idea: only the interior of the tile is staged; the halo, which a neighbour has just loaded, is left to the cache.
// Changed from tiled_output: simple loading, no larger tile, but every step of the sum asks where its value lies.
// Needs: an odd filter up to 63 x 63; any picture, any border.
// Block: block_width x block_height threads, 4 w h bytes shared.
// Source: Kirk and Hwu, 4th ed., section 7.5, figure 7.15; re-derived.
// Look at: the branch in the inner loop: threads of one warp take both ways near the tile's edge.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void __launch_bounds__(1024) halo_cached(Source<T> source, Window<R> window, Target out) {
    float* tile = dynamicShared;
    const int firstX = blockIdx.x * blockDim.x;
    const int firstY = blockIdx.y * blockDim.y;
    const int x = firstX + threadIdx.x;
    const int y = firstY + threadIdx.y;
    const int width = blockDim.x, height = blockDim.y;
    const Plane<T> in = source.plane(blockIdx.z);

    const bool inside = blockReadsInside(in, window, firstX, firstY);
    tile[threadIdx.y * width + threadIdx.x] = inside ? in(x, y) : in.at(x, y);
    __syncthreads();  // the interior is complete

    if (!out.contains(x, y)) return;
    float sum = 0;
    // Rows of large filters stay a loop: three ways to read, times all taps, would need more registers than 1,024
    // threads have.
    constexpr int kRows = R == 1 || R == 2 ? 2 * R + 1 : 1;
#pragma unroll kRows
    for (int j = 0; j < window.height(); ++j) {
#pragma unroll
        for (int i = 0; i < window.width(); ++i) {
            const int column = static_cast<int>(threadIdx.x) + i - window.radiusX();
            const int row = static_cast<int>(threadIdx.y) + j - window.radiusY();
            const float weight = constantFilter[j * window.width() + i];
            if (column >= 0 && column < width && row >= 0 && row < height) {
                sum += weight * tile[row * width + column];
            } else if (inside) {
                sum += weight * in(firstX + column, firstY + row);
            } else {
                float value;
                if (in.read(firstX + column, firstY + row, value)) sum += weight * value;
            }
        }
    }
    out.store(blockIdx.z, x, y, sum);
}

inline std::size_t haloCachedShared(const TunableValues& t, int, int) {
    return sizeof(float) * t.at("block_width") * t.at("block_height");
}

inline Footprint haloCachedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .staged = true,
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

inline void launchHaloCached(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, &halo_cached<T, R>, grid, block, haloCachedShared(t, a.filterWidth, a.filterHeight), in, window,
                   out);
        });
    });
}

KernelEntry halo_cached_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchHaloCached,
            .footprint = &haloCachedFootprint,
            .sharedBytes = &haloCachedShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
