// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: matrices, grids, footprints.

#include "gpu/families/product/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/view.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// C = A B as a kernel sees it, A of T; blockIdx.z is the layer.
template <class T>
struct Matrices {
    const T* a;
    const float* b;
    void* c;
    io::PixelType cType;
    int rows, inner, columns;
    std::int64_t aRow, bRow, cRow, aLayer, bLayer, cLayer;

    __device__ const T* left() const { return a + blockIdx.z * aLayer; }
    __device__ const float* right() const { return b + blockIdx.z * bLayer; }
    /// Those of a layer, as if it were the first.
    __host__ __device__ Matrices ofLayer(int layer) const {
        Matrices one = *this;
        const int bytes = cType == io::PixelType::u8 ? 1 : cType == io::PixelType::u16 ? 2 : 4;
        one.a += layer * aLayer;
        one.b += layer * bLayer;
        one.c = static_cast<char*>(c) + layer * cLayer * bytes;
        return one;
    }
    __device__ bool contains(int row, int column) const { return row < rows && column < columns; }
    /// Integers are rounded half to even and saturated.
    __device__ void store(int row, int column, float value) const {
        const std::int64_t at = blockIdx.z * cLayer + row * cRow + column;
        switch (cType) {
            case io::PixelType::u8: static_cast<std::uint8_t*>(c)[at] = Target::toByte(value); break;
            case io::PixelType::u16: static_cast<std::uint16_t*>(c)[at] = Target::toWord(value); break;
            default: static_cast<float*>(c)[at] = value; break;
        }
    }
    /// Whether four floats of a row can be stored at once, from a column on that is a multiple of four.
    __device__ bool wideStores() const { return cType == io::PixelType::f32 && (cRow | cLayer) % 4 == 0; }
    /// Two neighbouring values from an even column on, those that lie inside.
    __device__ void storeTwo(int row, int column, float first, float second, bool wide) const {
        if (row >= rows) return;
        if (wide && column + 1 < columns) {
            float* const to = static_cast<float*>(c) + blockIdx.z * cLayer + row * cRow + column;
            *reinterpret_cast<float2*>(to) = float2{first, second};
            return;
        }
        if (column < columns) store(row, column, first);
        if (column + 1 < columns) store(row, column + 1, second);
    }
    /// Four neighbouring values from such a column on, those that lie inside.
    __device__ void storeFour(int row, int column, const float (&v)[4], bool wide) const {
        if (row >= rows) return;
        if (wide && column + 3 < columns) {
            float* const to = static_cast<float*>(c) + blockIdx.z * cLayer + row * cRow + column;
            *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
            return;
        }
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (column + i < columns) store(row, column + i, v[i]);
    }
};

template <class T>
Matrices<T> matricesOf(LaunchContext& c, const Multiplication& m) {
    const auto* const a = static_cast<const T*>(c.address(m.a.handle)) + m.a.first;
    const auto* const b = static_cast<const float*>(c.address(m.b.handle)) + m.b.first;
    // Only floats are ever written from another place than a buffer's first.
    void* const out = static_cast<char*>(c.address(m.c.handle)) + m.c.first * 4;
    return {a, b, out, m.cType, m.rows, m.inner, m.columns, m.a.row, m.b.row, m.c.row, m.a.layer, m.b.layer, m.c.layer};
}

/// Calls f(Matrices<T>) for the type of A: three instances a kernel.
template <class F>
void dispatch(LaunchContext& c, const Multiplication& m, F f) {
    io::withSampleType(m.aType, [&]<class T>(T) { f(matricesOf<T>(c, m)); });
}

/// Blocks of so many columns and rows of C.
inline dim3 gridOf(const Multiplication& m, int width, int height) {
    return {ceilDiv(m.columns, width), ceilDiv(m.rows, height), static_cast<unsigned>(m.layers)};
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

/// A thread an output.
inline Footprint plainFootprint(const Case&, const TunableValues& t) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w, .blockHeight = h, .tileWidth = w, .tileHeight = h};
}

/// A block of `threads` that makes a tile of C out of strips in shared memory, each `deep` terms of the sums.
inline Footprint tileFootprint(int threads, int width, int height, int deep) {
    return {.blockWidth = threads,
            .blockHeight = 1,
            .tileWidth = width,
            .tileHeight = height,
            .staged = true,
            .stagedDepth = deep};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
