// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels share that read both factors 16 bytes at a time.

#include "gpu/families/product/factor.hpp"
#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// Where a tile's quads lie. Rows and columns beyond the last are read from the last: what becomes of them is not
/// stored. Terms beyond the last have to be zeros in both factors.
struct QuadSource {
    const float *a, *b;
    std::int64_t aRow, bRow;
    int lastRow, lastColumn;  ///< the last row of A, the first of the last four columns of B
    int terms;                ///< in whole quads

    __device__ explicit QuadSource(const Matrices<float>& m)
        : a(m.left()),
          b(m.right()),
          aRow(m.aRow),
          bRow(m.bRow),
          lastRow(m.rows - 1),
          lastColumn((m.columns + 3) / 4 * 4 - 4),
          terms((m.inner + 3) / 4 * 4) {}

    __device__ const float* left(int row, int k) const { return a + (row < lastRow ? row : lastRow) * aRow + k; }
    __device__ const float* right(int k, int column) const {
        return b + k * bRow + (column < lastColumn ? column : lastColumn);
    }
    __device__ float4 leftQuad(int row, int k) const {
        return k < terms ? *reinterpret_cast<const float4*>(left(row, k)) : make_float4(0, 0, 0, 0);
    }
    __device__ float4 rightQuad(int k, int column) const {
        return k < terms ? *reinterpret_cast<const float4*>(right(k, column)) : make_float4(0, 0, 0, 0);
    }
};

__device__ inline void spread(float4 quad, float* to) {
    to[0] = quad.x;
    to[1] = quad.y;
    to[2] = quad.z;
    to[3] = quad.w;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
