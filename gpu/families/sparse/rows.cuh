// SPDX-License-Identifier: Apache-2.0
#pragma once

// A row of the matrix, worked out from where its pixel lies.

#include "gpu/families/sparse/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"

#include <cstdint>

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

/// A Rule as kernels see it.
struct Rows {
    Values kind;
    int width, height, depth, count;
    float perK, step;
    const float* x;     ///< diffusion: the channel
    const int* places;  ///< null without a mask
    const int* numbers;
    const int *starts, *columns;  ///< of a given matrix, as its values; else null
    const float* values;

    __device__ int slice() const { return width * height; }
};

inline Rows rowsOf(LaunchContext& c, const Rule& r) {
    const bool masked = r.numbers != 0;
    return {r.matrix,
            r.width,
            r.height,
            r.depth,
            r.rows,
            1 / r.k,
            r.step,
            r.picture == 0 ? nullptr : static_cast<const float*>(c.address(r.picture)) + r.first,
            masked ? static_cast<const int*>(c.address(r.places)) : nullptr,
            masked ? static_cast<const int*>(c.address(r.numbers)) : nullptr,
            r.starts == 0 ? nullptr : static_cast<const int*>(c.address(r.starts)),
            r.columns == 0 ? nullptr : static_cast<const int*>(c.address(r.columns)),
            r.values == 0 ? nullptr : static_cast<const float*>(c.address(r.values))};
}

/// Calls f(pixel) for the neighbours that there are, in rising order; `between` in the middle of them.
template <class F, class Between>
__device__ void forNeighbours(const Rows& r, int pixel, F f, Between between) {
    const int x = pixel % r.width, y = pixel / r.width % r.height, z = pixel / r.slice();
    if (z > 0) f(pixel - r.slice());
    if (y > 0) f(pixel - r.width);
    if (x > 0) f(pixel - 1);
    between();
    if (x + 1 < r.width) f(pixel + 1);
    if (y + 1 < r.height) f(pixel + r.width);
    if (z + 1 < r.depth) f(pixel + r.slice());
}

/// A weight of the filter's, `offset` from its middle.
__device__ inline float binomial(int offset) { return offset == 0 ? 0.375F : offset * offset == 1 ? 0.25F : 0.0625F; }

/// Whether a pixel lies at the picture's or the volume's edge.
__device__ inline bool outermost(const Rows& r, int pixel) {
    const int x = pixel % r.width, y = pixel / r.width % r.height, z = pixel / r.slice();
    return x == 0 || x == r.width - 1 || y == 0 || y == r.height - 1 || (r.depth > 1 && (z == 0 || z == r.depth - 1));
}

/// How much a neighbour that differs by d weighs.
__device__ inline float diffusionWeight(const Rows& r, float d) {
    const float t = d * r.perK;
    return r.step * expf(-(t * t));
}

/// Calls f(column, value) for each nonzero of a row, columns rising.
template <class F>
__device__ void forRow(const Rows& r, int row, F f) {
    const auto nothing = [] {};
    if (r.numbers != nullptr) {
        const int pixel = r.places[row];
        int neighbours = 0;
        forNeighbours(
            r, pixel, [&neighbours](int) { ++neighbours; }, nothing);
        const auto other = [&](int at) {
            if (r.numbers[at] >= 0) f(r.numbers[at], -1.0F);
        };
        forNeighbours(r, pixel, other, [&] { f(row, static_cast<float>(neighbours)); });
        return;
    }
    if (r.kind == Values::filter) {
        const int x = row % r.width, y = row / r.width % r.height;
        for (int j = -2; j <= 2; ++j) {
            if (y + j < 0 || y + j >= r.height) continue;
            for (int i = -2; i <= 2; ++i)
                if (x + i >= 0 && x + i < r.width) f(row + j * r.width + i, binomial(j) * binomial(i));
        }
        return;
    }
    if (r.kind == Values::diffusion) {
        const float own = r.x[row];
        float sum = 0;
        forNeighbours(
            r, row, [&](int at) { sum += diffusionWeight(r, r.x[at] - own); }, nothing);
        const auto other = [&](int at) {
            const float weight = diffusionWeight(r, r.x[at] - own);
            if (!(weight == 0)) f(at, weight);
        };
        forNeighbours(r, row, other, [&] { f(row, 1 - sum); });
        return;
    }
    if (outermost(r, row)) {
        f(row, 1.0F);
        return;
    }
    const float most = r.depth > 1 ? 6 : 4;
    forNeighbours(
        r, row, [&](int at) { f(at, -1.0F); }, [&] { f(row, most); });
}

inline unsigned blocksOf(std::int64_t threads, int block) {
    return static_cast<unsigned>((threads + block - 1) / block);
}

__device__ inline std::int64_t threadOfGrid() { return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
