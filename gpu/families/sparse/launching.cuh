// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: vectors, stored matrices, grids.

#include "gpu/families/sparse/rows.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

/// A stored matrix and its two vectors, as kernels see them.
template <class V>
struct Operands {
    const int *starts, *rowOf, *columns;
    const V* values;
    const V* x;
    V* y;
    int rows;
    std::int64_t nonzeros;
    int width;
    int channels;

    /// The vectors of this block's channel.
    __device__ void takeChannel() {
        const std::int64_t first = std::int64_t{blockIdx.y} * rows;
        x += first;
        y += first;
    }
};

inline const float* input(LaunchContext& c, const Vector& v) {
    return static_cast<const float*>(c.address(v.handle)) + v.first;
}
inline float* output(LaunchContext& c, const Vector& v) { return static_cast<float*>(c.address(v.handle)) + v.first; }

inline const int* integers(LaunchContext& c, std::uint64_t handle) {
    return handle == 0 ? nullptr : static_cast<const int*>(c.address(handle));
}

inline Operands<float> operandsOf(LaunchContext& c, const Product& p) {
    const Stored& s = p.stored;
    return {integers(c, s.starts),
            integers(c, s.rowOf),
            integers(c, s.columns),
            static_cast<const float*>(c.address(s.values)),
            input(c, p.x),
            output(c, p.y),
            s.rows,
            s.nonzeros,
            s.width,
            p.channels};
}

/// Of sums that several threads add to.
template <class V>
__global__ void clearSums(V* y, std::int64_t count) {
    const std::int64_t i = threadOfGrid();
    if (i < count) y[i] = 0;
}
inline void clear(LaunchContext& c, const Operands<float>& o) {
    const std::int64_t count = std::int64_t{o.rows} * o.channels;
    launch(c, &clearSums<float>, dim3(blocksOf(count, 256)), dim3(256), 0, o.y, count);
}

/// One thread per nonzero, told by its coordinates: its product is added to its row's sum.
template <class V>
__global__ void addProducts(Operands<V> o) {
    o.takeChannel();
    const std::int64_t i = threadOfGrid();
    if (i < o.nonzeros) atomicAdd(&o.y[o.rowOf[i]], o.values[i] * o.x[o.columns[i]]);
}

/// ELL: a thread a row, place k of all rows side by side.
template <class V>
__global__ void multiplyEll(Operands<V> o) {
    o.takeChannel();
    const std::int64_t row = threadOfGrid();
    if (row >= o.rows) return;
    V sum = 0;
    for (int k = 0; k < o.width; ++k) {
        const std::int64_t at = k * std::int64_t{o.rows} + row;
        const int column = o.columns[at];
        if (column >= 0) sum += o.values[at] * o.x[column];
    }
    o.y[row] = sum;
}

/// A block of threads a stretch of so many rows of the matrix: pixels of a row of the picture, but where it ends.
inline Footprint rowsFootprint(int threads, int rows) {
    return {.blockWidth = threads, .blockHeight = 1, .tileWidth = rows, .tileHeight = 1};
}
inline Footprint rowPerThread(const Case&, const TunableValues& t) {
    return rowsFootprint(t.at("block_width"), t.at("block_width"));
}

inline dim3 blockOf(const TunableValues& t) { return {static_cast<unsigned>(t.at("block_width"))}; }

/// One of a grid's threads for each of `count`, in every channel.
inline dim3 gridOf(std::int64_t count, const TunableValues& t, int channels) {
    return {blocksOf(count, t.at("block_width")), static_cast<unsigned>(channels)};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
