// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: views, layers, grids.

#include "gpu/families/rank/arguments.hpp"
#include "gpu/families/rank/keys.cuh"
#include "gpu/kernels/border.cuh"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/wait_between.cuh"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// One slice of one channel.
template <class T>
struct Layer {
    const T* data;
    int width, height;
    Border border;

    __device__ const T* row(int y) const { return data + static_cast<std::size_t>(y) * width; }
    /// The value at (x, y), with the border; 0 where that is zero.
    __device__ T at(int x, int y) const {
        x = remap(x, width, border);
        y = remap(y, height, border);
        return x < 0 || y < 0 ? T{} : row(y)[x];
    }
    /// Whether the columns and rows first..last (inclusive) all lie inside.
    __device__ bool contains(int firstX, int firstY, int lastX, int lastY) const {
        return firstX >= 0 && firstY >= 0 && lastX < width && lastY < height;
    }
};

/// What a kernel of T ranks. Slices of width x height values lie one behind the other, a channel's `depth` first.
template <class T>
struct Picture {
    const T* in;
    T* out;
    int width, height, depth;
    int first;  ///< the layer of blockIdx.z 0
    Window window;
    int index;
    Border border;

    __device__ std::size_t sliceValues() const { return static_cast<std::size_t>(width) * height; }
    __device__ Layer<T> layer(int z) const { return {in + z * sliceValues(), width, height, border}; }
    /// The layer of this block.
    __device__ Layer<T> layer() const { return layer(first + static_cast<int>(blockIdx.z)); }
    __device__ bool contains(int x, int y) const { return x < width && y < height; }
    __device__ T* target(int x, int y) const {
        return out + (first + blockIdx.z) * sliceValues() + static_cast<std::size_t>(y) * width + x;
    }
};

/// Calls f(key) for every value of the window around (x, y), in raster order.
template <class T, class F>
__device__ void forWindow(const Picture<T>& p, int x, int y, F f) {
    const int radius = p.window.radius, deep = p.window.volume ? radius : 0;
    const int z = p.first + static_cast<int>(blockIdx.z);
    for (int k = -deep; k <= deep; ++k) {
        const int from = p.window.volume ? remap(z % p.depth + k, p.depth, p.border) : z % p.depth;
        const Layer<T> layer = p.layer(z - z % p.depth + (from < 0 ? 0 : from));
        for (int j = -radius; j <= radius; ++j) {
            const int off = (j != 0) + (k != 0);
            if (p.window.cross && off > 1) continue;
            const int reach = !p.window.cross || off == 0 ? radius : 0;
            const int fromY = remap(y + j, p.height, p.border);
            const bool nothing = from < 0 || fromY < 0;
            const T* row = layer.row(nothing ? 0 : fromY);
            if (!nothing && x >= reach && x + reach < p.width) {
                for (int i = -reach; i <= reach; ++i) f(keyOf(row[x + i]));
                continue;
            }
            for (int i = -reach; i <= reach; ++i) {
                const int fromX = remap(x + i, p.width, p.border);
                f(keyOf(nothing || fromX < 0 ? T{} : row[fromX]));
            }
        }
    }
}

/// Calls f(picture, layers) for the picture's type, in stretches of layers that a grid can hold.
template <class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    constexpr int kMostLayers = 65535;
    io::withSampleType(a.type, [&]<class T>(T) {
        for (int first = 0; first < a.layers; first += kMostLayers) {
            const Picture<T> picture{static_cast<const T*>(c.address(a.input)),
                                     static_cast<T*>(c.address(a.output)),
                                     a.width,
                                     a.height,
                                     a.depth,
                                     first,
                                     a.window,
                                     a.index,
                                     a.border};
            f(picture, static_cast<unsigned>(std::min(kMostLayers, a.layers - first)));
        }
    });
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

/// Of a block whose threads compute `across` x `down` outputs each, everything read from global memory.
inline Footprint footprintOf(const Case& c, const TunableValues& t, int across, int down) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w * across,
            .tileHeight = h * down,
            .haloX = c.window.radius,
            .haloY = c.window.radius,
            .haloThroughCache = true};
}

inline dim3 gridOf(const Arguments& a, const Footprint& tile, unsigned layers) {
    return {ceilDiv(a.width, tile.tileWidth), ceilDiv(a.height, tile.tileHeight), layers};
}

/// Calls f(grid, top) for one stretch of a grid's rows of blocks after the other, `top` being its first row of pixels.
/// Large windows of large pictures take seconds; between two stretches they may be cancelled. `work`: accesses a pixel.
template <class F>
void forRows(LaunchContext& c, const Arguments& a, const dim3& all, const dim3& block, double work, F f) {
    constexpr double kMostAccesses = 1e10;  // 10 ms on an H200
    const double launches = std::ceil(work * a.width * a.height * all.z / kMostAccesses);
    const auto rows = static_cast<unsigned>(std::clamp(all.y / launches, 1.0, 65535.0));
    for (unsigned first = 0; first < all.y; first += rows) {
        if (first > 0 && launches > 1) waitBetween(c);
        f(dim3(all.x, std::min(rows, all.y - first), all.z), static_cast<int>(first * block.y));
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
