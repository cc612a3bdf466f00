// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several steps of a 2D cross or a 1D line in one pass.

#include "gpu/families/stencil/fused_volume.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

constexpr int kQuad = 4;

/// T steps of a cross: a warp marches down a strip of 128 columns, four a thread, every level of time one row behind
/// the one before. Neighbours along x come from the next lane, along y from the thread's own registers: no shared
/// memory, no barrier. A strip that touches no face, knows no region and has aligned rows (Rim false) asks nothing
/// about its cells.
template <int T, bool Rim>
__device__ void marchStrip(const Field& f, const Weights& k, int x, int slice, int first, int last, bool writes,
                           bool aligned) {
    const bool wide = !Rim || aligned;
    const bool inRow = !Rim || (x >= 0 && x < f.width);
    const unsigned faces = Rim ? faceCells<kQuad>(x, f.width) : 0;
    const auto load = [&](int y) {
        Cells<kQuad> cells{};
        if (inRow && (!Rim || y < f.height)) cells = loadCells<kQuad>(f.in + f.index(0, y, slice), x, f.width, wide);
        return cells;
    };

    // Of level t: here[t] is row y - 1 - t, before[t] the one above it.
    Cells<kQuad> before[T] = {}, here[T] = {};
    const int begin = most(first - T, 0);
    auto arriving = load(begin);
#pragma unroll 2
    for (int y = begin; y < last + T; ++y) {
        auto next = arriving;
        arriving = load(y + 1);  // asked for now, needed in the next turn
#pragma unroll
        for (int t = 0; t < T; ++t) {
            const auto cells = here[t];
            const float left = __shfl_up_sync(0xffffffffU, cells.v[kQuad - 1], 1);
            const float right = __shfl_down_sync(0xffffffffU, cells.v[0], 1);
            unsigned kept = 0;
            if (Rim) {
                const int row = y - 1 - t;
                kept = row <= 0 || row >= f.height - 1 ? (1U << kQuad) - 1 : faces;
                if (f.held.count > 0) kept |= heldCells<kQuad>(f.held, x, row, slice);
            }
            auto result = cells;
#pragma unroll
            for (int i = 0; i < kQuad; ++i) {
                const float west = i > 0 ? cells.v[i > 0 ? i - 1 : 0] : left;
                const float east = i < kQuad - 1 ? cells.v[i < kQuad - 1 ? i + 1 : i] : right;
                const float sum = crossSum(k, cells.v[i], west, east, before[t].v[i], next.v[i]);
                if (!(kept >> i & 1U)) result.v[i] = sum;
            }
            before[t] = cells;
            here[t] = next;
            next = result;
        }
        if (y - T >= first && writes) streamCells<kQuad>(f.out + f.index(0, y - T, slice), x, f.width, wide, next);
    }
}

template <int T>
__global__ void __launch_bounds__(256) fused_picture(Field f, Weights k, int rows, bool aligned) {
    constexpr int kHalo = haloOf(T, kQuad), kTile = kWarp * kQuad - 2 * kHalo;
    const int strip = (blockIdx.x * blockDim.y + threadIdx.y) * kTile;
    if (strip >= f.width) return;  // all lanes of a warp together
    const int lane = threadIdx.x;
    const int x = strip - kHalo + lane * kQuad;
    const int first = blockIdx.y * rows;
    const int last = least(first + rows, f.height);
    const bool writes = x < f.width && lane * kQuad >= kHalo && lane * kQuad < kHalo + kTile;
    const bool inside =
        strip > kHalo && strip - kHalo + kWarp * kQuad < f.width && first > T && last + T + 1 < f.height;
    if (inside && aligned && f.held.count == 0) {
        marchStrip<T, false>(f, k, x, blockIdx.z, first, last, writes, aligned);
    } else {
        marchStrip<T, true>(f, k, x, blockIdx.z, first, last, writes, aligned);
    }
}

/// The smallest example of fusing: a block stages a piece of a line, steps it in shared memory, and writes its inner
/// part.
__global__ void fusedLine(Field f, Weights k, int steps) {
    const int width = blockDim.x, i = threadIdx.x;
    const int x = static_cast<int>(blockIdx.x) * (width - 2 * steps) - steps + i;
    const int y = blockIdx.y, z = blockIdx.z;
    float* now = dynamicShared;
    float* next = now + width;
    now[i] = f.at(x, y, z);
    const bool kept = i == 0 || i == width - 1 || keeps<Pattern::line>(f, x, y, z);
    for (int step = 0; step < steps; ++step) {
        __syncthreads();  // the line is complete
        next[i] = kept ? now[i] : lineSum(k, now[i], now[i - 1], now[i + 1]);
        float* const old = now;
        now = next;
        next = old;
    }
    if (i >= steps && i < width - steps && f.contains(x, y, z)) f.out[f.index(x, y, z)] = now[i];
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
