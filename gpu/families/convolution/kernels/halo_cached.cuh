// SPDX-License-Identifier: Apache-2.0
// Idea: only the interior of the tile is staged; the halo, which a neighbour has just loaded, is left to the cache.
// Changed from tiled_output: simple loading, no larger tile, but every step of the sum asks where its value lies.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, 4 w h bytes shared; in three dimensions as many slices of them as make
// 1,024 threads.
// Source: Kirk and Hwu, 4th ed., section 7.5, figure 7.15; re-derived.
// Look at: the question in the inner loop: near the edge of the tile a warp reads both, one after the other.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
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
    // Rows of large filters stay a loop: two ways to read, times all taps, would need more registers than 1,024 threads
    // have.
    constexpr bool kSmall = R == 1 || R == 2;
    const int left = static_cast<int>(threadIdx.x) - window.radiusX();
    const int top = static_cast<int>(threadIdx.y) - window.radiusY();
    // One question without a branch; a negative number is a large one.
    const auto isStaged = [&](int column, int row) {
        const bool inRow = static_cast<unsigned>(column) < static_cast<unsigned>(width);
        const bool inColumn = static_cast<unsigned>(row) < static_cast<unsigned>(height);
        return static_cast<bool>(inRow & inColumn);
    };
    if (inside) {
#pragma unroll(kSmall ? 2 * R + 1 : 1)
        for (int j = 0; j < window.height(); ++j) {
            const int row = top + j;
            const float* const line = tile + (row * width + left);
            const T* const around = in.data + static_cast<std::size_t>(firstY + row) * in.pitch() + (firstX + left);
#pragma unroll
            for (int i = 0; i < window.width(); ++i) {
                const float value = isStaged(left + i, row) ? line[i] : static_cast<float>(around[i]);
                sum = fmaf(constantFilter[j * window.width() + i], value, sum);
            }
        }
    } else {  // at the border, where a place is long to find: unrolled, a compiler took up to 37 s for one radius
        int columns[kSmall ? 2 * R + 1 : 1];
        if constexpr (kSmall) {
#pragma unroll
            for (int i = 0; i <= 2 * R; ++i) columns[i] = remap(firstX + left + i, in.width, in.border);
        }
#pragma unroll 1
        for (int j = 0; j < window.height(); ++j) {
            const int row = top + j, line = remap(firstY + row, in.height, in.border);
            const T* const around = in.data + static_cast<std::size_t>(line < 0 ? 0 : line) * in.pitch();
#pragma unroll(kSmall ? 2 * R + 1 : 1)
            for (int i = 0; i < window.width(); ++i) {
                const int column = kSmall ? columns[kSmall ? i : 0] : remap(firstX + left + i, in.width, in.border);
                float value = 0;
                if (isStaged(left + i, row))
                    value = tile[row * width + left + i];
                else if (column >= 0 && line >= 0)
                    value = static_cast<float>(around[column]);
                sum = fmaf(constantFilter[j * window.width() + i], value, sum);
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
            launch(c, squareSpecial<T, R>(a, "halo_cached"), &halo_cached<T, R>, grid, block,
                   haloCachedShared(t, a.filterWidth, a.filterHeight), in, window, out);
        });
    });
}

/// The same in three dimensions: the interior is a box, the input's slice `first` being the output's first.
template <class T>
__global__ void __launch_bounds__(1024)
    halo_cached_volume(Volume<T> in, Window3 window, int first, int slices, Target out) {
    float* tile = dynamicShared;
    const int width = blockDim.x, height = blockDim.y, depth = blockDim.z;
    const int firstX = blockIdx.x * width, firstY = blockIdx.y * height, firstZ = first + blockIdx.z * depth;
    const int x = firstX + threadIdx.x, y = firstY + threadIdx.y, z = firstZ + threadIdx.z;

    const bool inside = in.contains(firstX - window.radiusX(), firstY - window.radiusY(), firstZ - window.radiusZ(),
                                    width + window.width - 1, height + window.height - 1, depth + window.depth - 1);
    tile[(threadIdx.z * height + threadIdx.y) * width + threadIdx.x] = inside ? in(x, y, z) : in.at(x, y, z);
    __syncthreads();  // the interior is complete

    if (!out.contains(x, y) || z - first >= slices) return;
    const float* weight = constantFilter;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < window.depth; ++k) {
        const int layer = static_cast<int>(threadIdx.z) + k - window.radiusZ();
#pragma unroll 1
        for (int j = 0; j < window.height; ++j) {
            const int row = static_cast<int>(threadIdx.y) + j - window.radiusY();
            const bool staged = layer >= 0 && layer < depth && row >= 0 && row < height;
            for (int i = 0; i < window.width; ++i, ++weight) {
                const int column = static_cast<int>(threadIdx.x) + i - window.radiusX();
                if (staged && column >= 0 && column < width) {
                    sum = fmaf(*weight, tile[(layer * height + row) * width + column], sum);
                } else if (inside) {
                    sum = fmaf(*weight, in(firstX + column, firstY + row, firstZ + layer), sum);
                } else {
                    float value;
                    if (in.read(firstX + column, firstY + row, firstZ + layer, value)) sum = fmaf(*weight, value, sum);
                }
            }
        }
    }
    out.store(z - first, x, y, sum);
}

inline std::size_t haloCachedVolumeShared(const TunableValues& t, const Box&) {
    return haloCachedShared(t, 0, 0) * fullBlockDepth(t);
}

inline Footprint haloCachedVolumeFootprint(const TunableValues& t, const Box& filter) {
    return haloCachedFootprint(t, filter.width, filter.height);
}

inline void launchHaloCachedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        dim3 block = blockOf(t);
        const int deep = fullBlockDepth(t);
        block.z = deep;
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto shared = haloCachedVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
        forVolumes<T>(c, a, deep, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), ceilDiv(slices, deep));
            launch(c, &halo_cached_volume<T>, grid, block, shared, in, window, first, slices, out);
        });
    });
}

KernelEntry halo_cached_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchHaloCached,
            .footprint = &haloCachedFootprint,
            .sharedBytes = &haloCachedShared,
            .volume = {.launch = &launchHaloCachedVolume,
                       .blockDepth = &fullBlockDepth,
                       .footprint = &haloCachedVolumeFootprint,
                       .sharedBytes = &haloCachedVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
