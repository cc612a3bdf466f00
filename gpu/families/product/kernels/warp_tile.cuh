// SPDX-License-Identifier: Apache-2.0
// Idea: a warp makes a tile of 64 x 32 of its own, so that its lanes' quads are neighbours in shared memory.
// Changed from vectorised: a thread's 8 x 8 outputs are four of 4 x 4, a warp tile apart; rows of the left tile are a
// quad longer, so that turning meets no bank twice; the next tile is under way in registers.
// Needs: rows of both factors in whole 16 bytes; a picture that lies otherwise is copied first, timed as well.
// Block: 256 threads, 8.4 KiB of shared memory, 64 sums per thread.
// Source: CUTLASS, Efficient GEMM in CUDA; re-derived.
// Look at: wavefronts per shared load: 8 lanes' quads are 128 bytes, one wavefront.
#pragma once

#include "gpu/families/product/quads.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct WarpPolicy {
    static constexpr int kTile = 128, kDeep = 8, kThreads = 256, kPad = 4;
    static constexpr int kWarpRows = 64, kWarpColumns = 32;  ///< of C
    static constexpr int kLaneRows = 8, kLaneColumns = 4;    ///< lanes of a warp
};

__global__ void __launch_bounds__(WarpPolicy::kThreads, 2) warp_tile(Matrices<float> m) {
    using P = WarpPolicy;
    alignas(16) __shared__ float left[P::kDeep][P::kTile + P::kPad];
    alignas(16) __shared__ float right[P::kDeep][P::kTile];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 4 * P::kWarpRows + lane / P::kLaneColumns * 4;
    const int x = warp % 4 * P::kWarpColumns + lane % P::kLaneColumns * 4;
    const int top = blockIdx.y * P::kTile, start = blockIdx.x * P::kTile;
    const int leftRow = threadIdx.x / 2, leftK = threadIdx.x % 2 * 4;
    const int rightK = threadIdx.x / 32, rightColumn = threadIdx.x % 32 * 4;
    const QuadSource source(m);
    float4 nextLeft = source.leftQuad(top + leftRow, leftK);
    float4 nextRight = source.rightQuad(rightK, start + rightColumn);
    float sum[8][8] = {};
    for (int first = 0; first < m.inner; first += P::kDeep) {
        float turned[4];
        spread(nextLeft, turned);
#pragma unroll
        for (int i = 0; i < 4; ++i) left[leftK + i][leftRow] = turned[i];
        *reinterpret_cast<float4*>(&right[rightK][rightColumn]) = nextRight;
        __syncthreads();
        nextLeft = source.leftQuad(top + leftRow, first + P::kDeep + leftK);
        nextRight = source.rightQuad(first + P::kDeep + rightK, start + rightColumn);
#pragma unroll
        for (int k = 0; k < P::kDeep; ++k) {
            float across[8], down[8];
            spread(*reinterpret_cast<const float4*>(&right[k][x]), across);
            spread(*reinterpret_cast<const float4*>(&right[k][x + P::kWarpColumns / 2]), across + 4);
            spread(*reinterpret_cast<const float4*>(&left[k][y]), down);
            spread(*reinterpret_cast<const float4*>(&left[k][y + P::kWarpRows / 2]), down + 4);
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) sum[i][j] += down[i] * across[j];
        }
        __syncthreads();
    }
    const bool wide = m.wideStores();
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const float four[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            m.storeFour(top + y + i % 4 + i / 4 * (P::kWarpRows / 2), start + x + j / 4 * (P::kWarpColumns / 2), four,
                        wide);
        }
}

inline void launchWarpTile(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    launch(c, &warp_tile, gridOf(m, WarpPolicy::kTile, WarpPolicy::kTile), dim3(WarpPolicy::kThreads), 0,
           matricesOf<float>(c, m));
}

inline Footprint warpFootprint(const Case&, const TunableValues&) {
    return tileFootprint(WarpPolicy::kThreads, WarpPolicy::kTile, WarpPolicy::kTile, WarpPolicy::kDeep);
}

KernelEntry warp_tile_entry() { return {.multiply = &launchWarpTile, .footprint = &warpFootprint, .quads = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
