// SPDX-License-Identifier: Apache-2.0
// Idea: a block sums along the rows that its tile needs into shared memory, then along its columns from there.
// Changed from separable: one launch, and nothing in memory between the sums; rows of two tiles are summed twice.
// Needs: shared memory for the rows of a tile, more of them the more the picture shrinks.
// Block: block_width x block_height threads; (rows of a tile's taps) x block_width floats.
// Source: as separable; the fusion is our own.
// Look at: sectors loaded and stored beside separable's.
#pragma once

#include "gpu/families/resample/launching.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::resample {
inline namespace WARPLENS_BUILD {

/// Rows of the picture that so many rows of the result are made of, at most.
inline int rowsOf(const Axis& axis, int outputs) {
    return static_cast<int>(static_cast<std::int64_t>(outputs - 1) * axis.in / axis.out) + 1 + axis.taps;
}

template <class T>
__global__ void fused(Pictures<T> p, int tileRows) {
    auto* const sums = reinterpret_cast<float*>(dynamicShared);
    const int width = blockDim.x, x = blockIdx.x * width + threadIdx.x;
    const int top = blockIdx.y * tileRows, end = top + tileRows, bottom = end < p.of.y.out ? end : p.of.y.out;
    const int firstRow = p.rows.first[top], rows = p.rows.first[bottom - 1] + p.rows.taps - firstRow;
    if (x < p.of.x.out) {
        for (int r = threadIdx.y; r < rows; r += blockDim.y) {
            const T* const row = p.row(blockIdx.z, inside(firstRow + r, p.of.y.in));
            sums[r * width + threadIdx.x] = p.columns.sum(x, [&](int i) { return static_cast<float>(row[i]); });
        }
    }
    __syncthreads();
    if (x >= p.of.x.out) return;
    for (int y = top + threadIdx.y; y < bottom; y += blockDim.y) {
        const float* const column = sums + (p.rows.first[y] - firstRow) * width + threadIdx.x;
        float total = 0;
        for (int j = 0; j < p.rows.taps; ++j) {
            const float w = p.rows.weight(y, j);
            if (w != 0) total = fmaf(w, column[j * width], total);
        }
        p.store(blockIdx.z, x, y, total);
    }
}

inline void launchFused(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T>(const Pictures<T>& p) {
        const dim3 block = blockOf(t);
        const int rows = t.at("tile_rows");
        const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(rowsOf(a.y, rows)) * block.x;
        launch(c, &fused<T>, gridOf(a.x.out, a.y.out, dim3(block.x, static_cast<unsigned>(rows)), a.planes), block,
               bytes, p, rows);
    });
}

inline std::size_t fusedShared(const Case& of, const TunableValues& t) {
    return sizeof(float) * static_cast<std::size_t>(rowsOf(of.y, t.at("tile_rows"))) *
           static_cast<std::size_t>(t.at("block_width"));
}

inline Footprint fusedFootprint(const TunableValues& t) {
    Footprint tile = blockFootprint(t);
    tile.tileHeight = t.at("tile_rows");
    tile.staged = true;
    return tile;
}

KernelEntry fused_entry() {
    return {
        .launch = &launchFused, .footprint = &fusedFootprint, .sharedBytes = &fusedShared, .refusal = &refusalToTurn};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::resample
