// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: matrices, grids, footprints.

#include "gpu/families/layout/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/planes.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

/// What a kernel of T moves; layer l of all planes is `layer` l % layers of plane l / layers.
template <class T>
struct Matrices {
    const T* in;
    T* out;
    Move move;
    const T* end;  ///< of the input

    __device__ const T* source(int layer) const {
        return in + move.inFirst + layer % move.layers * move.inLayer + layer / move.layers * move.inPlane;
    }
    /// The input's column of the output's column x, where rows stay rows.
    __device__ int column(int x) const {
        if (move.mirrored) return move.columns - 1 - x;
        const std::int64_t at = std::int64_t{x} * move.step + move.offset;
        return static_cast<int>(at < move.columns ? at : at - move.columns);
    }
    __device__ T* target(int layer) const {
        return out + move.outFirst + layer % move.layers * move.outLayer + layer / move.layers * move.outPlane;
    }
};

/// Calls f(Matrices<T>) for the picture's type: three instances a kernel.
template <class F>
void dispatchMove(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) {
        const T* in = static_cast<const T*>(c.address(a.input));
        f(Matrices<T>{in, static_cast<T*>(c.address(a.output)), a.move, in + a.move.planes * a.move.inPlane});
    });
}

template <class F>
void dispatchPacking(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) {
        f(Packed<T>{static_cast<const T*>(c.address(a.input)), static_cast<T*>(c.address(a.output)), a.packing.pixels,
                    a.packing.channels, a.packing.toPlanes});
    });
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

inline dim3 gridOf(int width, int height, int tileWidth, int tileHeight, const Move& move) {
    return {ceilDiv(width, tileWidth), ceilDiv(height, tileHeight), static_cast<unsigned>(move.layers * move.planes)};
}

/// Side of the tiles of tiled, padded and swizzled: a warp a row.
constexpr int kTile = 32;

inline dim3 tileGrid(const Move& move) { return gridOf(move.columns, move.rows, kTile, kTile, move); }
inline dim3 tileBlock(const TunableValues& t) { return {kTile, static_cast<unsigned>(t.at("block_height"))}; }

inline Footprint tileFootprint(const Case&, const TunableValues& t) {
    return {.blockWidth = kTile,
            .blockHeight = t.at("block_height"),
            .tileWidth = kTile,
            .tileHeight = kTile,
            .staged = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
