// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel of the family needs: pixels of one to four channels, their weighted mean, tiles of them.

#include "gpu/families/nlmeans/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/view.cuh"

#include <cstddef>
#include <type_traits>

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

template <int C>
struct Pixel {
    float v[C];
};

/// `sum` and the squared differences of the channels.
template <int C>
__device__ float addSquares(float sum, const Pixel<C>& a, const Pixel<C>& b) {
#pragma unroll
    for (int c = 0; c < C; ++c) {
        const float d = a.v[c] - b.v[c];
        sum = fmaf(d, d, sum);
    }
    return sum;
}

/// A weighted mean of pixels of T.
template <class T, int C>
struct Mean {
    float sum[C] = {}, total = 0;

    /// A pixel whose patch, or the other, has a value that is not finite has no weight.
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
    /// Of a pair of patches by the sum of their squared differences; of NaN NaN, which fmaxf would not keep.
    __device__ float weight(float apart) const {
        return exp2f(of.falls * (apart < of.spared ? 0.0F : apart - of.spared));
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

/// Calls f(Pictures<T, C>) for the picture's type and channels: nine instances a kernel.
template <class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) {
        const auto with = [&]<int C>(std::integral_constant<int, C>) {
            f(Pictures<T, C>{static_cast<const T*>(c.address(a.input)), static_cast<T*>(c.address(a.output)), a});
        };
        switch (a.channels) {
            case 1: return with(std::integral_constant<int, 1>{});
            case 3: return with(std::integral_constant<int, 3>{});
            default: return with(std::integral_constant<int, 4>{});
        }
    });
}

/// Pixels in shared memory, channel after channel: the block's tile with a border as wide as patches of taps reach.
template <class T, int C>
struct Tile {
    int width, height, reach;

    __device__ Tile(int tileWidth, int tileHeight, const Case& of)
        : width(tileWidth + 2 * (of.patch + of.search)),
          height(tileHeight + 2 * (of.patch + of.search)),
          reach(of.patch + of.search) {}

    __device__ int values() const { return C * width * height; }
    __device__ void stage(const Pictures<T, C>& p, int left, int top) const {
        for (int row = threadIdx.y; row < height; row += blockDim.y) {
            for (int column = threadIdx.x; column < width; column += blockDim.x) {
                const Pixel<C> pixel = p.at(left - reach + column, top - reach + row);
#pragma unroll
                for (int c = 0; c < C; ++c) dynamicShared[(c * height + row) * width + column] = pixel.v[c];
            }
        }
        __syncthreads();
    }
    /// By place in the tile; from -reach on.
    __device__ Pixel<C> at(int x, int y) const {
        Pixel<C> pixel;
#pragma unroll
        for (int c = 0; c < C; ++c) pixel.v[c] = dynamicShared[(c * height + y + reach) * width + x + reach];
        return pixel;
    }
    /// `sum` and the squared differences of the pixels at (x, y) and (x + dx, y + dy).
    __device__ float addSquaresAt(float sum, int x, int y, int dx, int dy) const {
        return addSquares(sum, at(x, y), at(x + dx, y + dy));
    }
};

constexpr int kOutputsAColumn = 4;

/// Sums over `height` rows, at least 3, from row 0 on, from row 1 on, and so on; add(sum, row) adds what a row has.
/// Rows that all four share are added once, and nothing is taken off again: what is not finite stays where it is.
template <class F>
__device__ void addRows(int height, float (&sums)[kOutputsAColumn], F add) {
    constexpr int kLast = kOutputsAColumn - 1;
    float shared = 0, sum = 0;
    for (int row = kLast; row < height; ++row) shared = add(shared, row);
    sums[kLast] = shared;
#pragma unroll
    for (int k = kLast - 1; k >= 0; --k) {
        sum = add(sum, k);
        sums[k] = sum + shared;
    }
    sum = 0;
#pragma unroll
    for (int k = 1; k <= kLast; ++k) {
        sum = add(sum, height - 1 + k);
        sums[k] += sum;
    }
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}
inline dim3 gridOf(const Case& of, int tileWidth, int tileHeight) {
    return {ceilDiv(of.width, tileWidth), ceilDiv(of.height, tileHeight), static_cast<unsigned>(of.depth)};
}
/// Of a kernel whose threads have one output each.
inline Footprint pixelFootprint(const Case& of, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height"), reach = of.patch + of.search;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .haloX = reach,
            .haloY = reach,
            .haloThroughCache = true};
}
inline Footprint staged(const Case& of, Footprint tile) {
    const int reach = of.patch + of.search;
    tile.stagedLeft = tile.stagedTop = tile.stagedRight = tile.stagedBottom = reach;
    tile.staged = true;
    tile.haloThroughCache = false;
    return tile;
}
inline Footprint tileFootprint(const Case& of, const TunableValues& t) { return staged(of, pixelFootprint(of, t)); }

inline std::size_t tileBytes(const Case& of, const Footprint& tile) {
    const int halo = 2 * (of.patch + of.search);
    return sizeof(float) * static_cast<std::size_t>(of.channels) * static_cast<std::size_t>(tile.tileWidth + halo) *
           static_cast<std::size_t>(tile.tileHeight + halo);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
