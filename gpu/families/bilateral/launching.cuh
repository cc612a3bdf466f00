// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel of the family needs: pixels of one to four channels, their weighted mean, tiles of them.

#include "gpu/families/bilateral/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/view.cuh"

#include <cstddef>
#include <type_traits>

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

template <int C>
struct Pixel {
    float v[C];
};

/// The sum of absolute differences over the channels, as OpenCV has it.
template <int C>
__device__ float difference(const Pixel<C>& a, const Pixel<C>& b) {
    float sum = fabsf(a.v[0] - b.v[0]);
#pragma unroll
    for (int c = 1; c < C; ++c) sum += fabsf(a.v[c] - b.v[c]);
    return sum;
}

/// A weighted mean of pixels of T.
template <class T, int C>
struct Mean {
    float sum[C] = {}, total = 0;

    /// A pixel that is no number, or infinitely far away, has no weight.
    __device__ void add(float weight, const Pixel<C>& pixel) {
        if constexpr (std::is_same_v<T, float>) {
            if (!(weight > 0)) return;
        }
        total += weight;
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] = fmaf(weight, pixel.v[c], sum[c]);
    }
};

template <class T, int C>
struct Pictures {
    const T* in;
    T* out;
    Case of;
    const int* reach;
    const float *spaceWeights, *valueWeights;

    __device__ std::size_t plane(int c) const {
        return (static_cast<std::size_t>(c) * of.depth + blockIdx.z) * of.height * of.width;
    }
    __device__ Pixel<C> at(int x, int y) const {
        x = remap(x, of.width, of.border);
        y = remap(y, of.height, of.border);
        Pixel<C> pixel{};
        if (x < 0 || y < 0) return pixel;
        const std::size_t i = static_cast<std::size_t>(y) * of.width + x;
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.v[c] = static_cast<float>(in[plane(c) + i]);
        return pixel;
    }
    /// The mean in the place of a pixel, which stays what it is where nothing has a weight.
    __device__ void store(int x, int y, const Pixel<C>& centre, const Mean<T, C>& mean) const {
        const std::size_t i = static_cast<std::size_t>(y) * of.width + x;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const float value = mean.total > 0 ? mean.sum[c] / mean.total : centre.v[c];
            if constexpr (std::is_same_v<T, float>)
                out[plane(c) + i] = value;
            else if constexpr (sizeof(T) == 1)
                out[plane(c) + i] = Target::toByte(value);
            else
                out[plane(c) + i] = Target::toWord(value);
        }
        if (of.kept) out[plane(C) + i] = in[plane(C) + i];
    }
};

/// Calls f(Pictures<T, C>) for the picture's type and channels: nine instances a kernel, six without those of floats.
template <bool Floats = true, class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) {
        if constexpr (Floats || !std::is_same_v<T, float>) {
            const auto with = [&]<int C>(std::integral_constant<int, C>) {
                f(Pictures<T, C>{static_cast<const T*>(c.address(a.input)), static_cast<T*>(c.address(a.output)), a,
                                 static_cast<const int*>(c.address(a.reach)),
                                 static_cast<const float*>(c.address(a.spaceWeights)),
                                 a.valueWeights == 0 ? nullptr : static_cast<const float*>(c.address(a.valueWeights))});
            };
            switch (a.channels) {
                case 1: return with(std::integral_constant<int, 1>{});
                case 3: return with(std::integral_constant<int, 3>{});
                default: return with(std::integral_constant<int, 4>{});
            }
        }
    });
}

/// Pixels in shared memory, channel after channel: the block's tile with a border of the radius.
template <class T, int C>
struct Tile {
    int width, height, radius;

    __device__ Tile(int tileWidth, int tileHeight, int of)
        : width(tileWidth + 2 * of), height(tileHeight + 2 * of), radius(of) {}

    __device__ void stage(const Pictures<T, C>& p, int left, int top) const {
        for (int row = threadIdx.y; row < height; row += blockDim.y) {
            for (int column = threadIdx.x; column < width; column += blockDim.x) {
                const Pixel<C> pixel = p.at(left - radius + column, top - radius + row);
#pragma unroll
                for (int c = 0; c < C; ++c) dynamicShared[(c * height + row) * width + column] = pixel.v[c];
            }
        }
        __syncthreads();
    }
    /// By place in the tile; from -radius on.
    __device__ Pixel<C> at(int x, int y) const {
        Pixel<C> pixel;
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.v[c] = dynamicShared[(c * height + y + radius) * width + x + radius];
        return pixel;
    }
};

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}
inline dim3 gridOf(const Case& of, const dim3& tile) {
    return {ceilDiv(of.width, tile.x), ceilDiv(of.height, tile.y), static_cast<unsigned>(of.depth)};
}
/// Of a kernel whose threads have `rows` outputs each, one below the other.
inline Footprint footprintOf(const Case& of, const TunableValues& t, int rows, bool staged) {
    const int w = t.at("block_width"), h = t.at("block_height"), halo = staged ? of.radius : 0;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h * rows,
            .stagedLeft = halo,
            .stagedTop = halo,
            .stagedRight = halo,
            .stagedBottom = halo,
            .staged = staged,
            .haloX = of.radius,
            .haloY = of.radius,
            .haloThroughCache = !staged};
}
inline Footprint pixelFootprint(const Case& of, const TunableValues& t) { return footprintOf(of, t, 1, false); }

inline std::size_t tileBytes(const Case& of, const Footprint& tile) {
    return sizeof(float) * static_cast<std::size_t>(of.channels) *
           static_cast<std::size_t>(tile.tileWidth + 2 * of.radius) *
           static_cast<std::size_t>(tile.tileHeight + 2 * of.radius);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
