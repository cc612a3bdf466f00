// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/stencil/field.cuh"

#include <cstdint>

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

/// N neighbouring cells of a row in registers: N is 2 or 4.
template <int N>
struct Cells {
    float v[N];
};

/// Loads the N cells from x on, of which the first lies inside where `wide`: then rows are aligned and one load does;
/// what is beyond the width is padding, and nobody's neighbour. Otherwise cell by cell, and 0 outside.
template <int N>
__device__ Cells<N> loadCells(const float* row, int x, int width, bool wide) {
    Cells<N> cells{};
    if (wide) {
        if constexpr (N == 4) {
            const float4 all = *reinterpret_cast<const float4*>(row + x);
            cells.v[0] = all.x;
            cells.v[1] = all.y;
            cells.v[2] = all.z;
            cells.v[3] = all.w;
        } else {
            const float2 both = *reinterpret_cast<const float2*>(row + x);
            cells.v[0] = both.x;
            cells.v[1] = both.y;
        }
        return cells;
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
        if (x + i >= 0 && x + i < width) cells.v[i] = row[x + i];
    }
    return cells;
}

/// The counterpart of loadCells.
template <int N>
__device__ void storeCells(float* row, int x, int width, bool wide, const Cells<N>& cells) {
    if (wide) {
        if constexpr (N == 4) {
            *reinterpret_cast<float4*>(row + x) = make_float4(cells.v[0], cells.v[1], cells.v[2], cells.v[3]);
        } else {
            *reinterpret_cast<float2*>(row + x) = float2{cells.v[0], cells.v[1]};
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
        if (x + i >= 0 && x + i < width) row[x + i] = cells.v[i];
    }
}

/// storeCells for a field's output: the cache is told that nobody reads it again in this pass.
template <int N>
__device__ void streamCells(float* row, int x, int width, bool wide, const Cells<N>& cells) {
    if (!wide) return storeCells<N>(row, x, width, false, cells);
    if constexpr (N == 4) {
        __stcs(reinterpret_cast<float4*>(row + x), make_float4(cells.v[0], cells.v[1], cells.v[2], cells.v[3]));
    } else {
        __stcs(reinterpret_cast<float2*>(row + x), float2{cells.v[0], cells.v[1]});
    }
}

/// One bit for each of N neighbouring cells of a row that lies in a region that is held.
template <int N>
__device__ unsigned heldCells(const Held& held, int x, int y, int slice) {
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        if (held.contains(x + i, y, slice)) bits |= 1U << i;
    }
    return bits;
}

/// One bit for each of N neighbouring cells of a row that lies on the leftmost or rightmost face, or beyond.
template <int N>
__device__ unsigned faceCells(int x, int width) {
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        if (x + i <= 0 || x + i >= width - 1) bits |= 1U << i;
    }
    return bits;
}

/// Whether rows of this field begin at multiples of N floats.
template <int N, bool Whole>
bool rowsAligned(const FieldOf<Whole>& f) {
    const auto at = reinterpret_cast<std::uintptr_t>(f.in) | reinterpret_cast<std::uintptr_t>(f.out);
    return f.pitch() % N == 0 && at % (N * sizeof(float)) == 0;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
