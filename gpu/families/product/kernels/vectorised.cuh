// SPDX-License-Identifier: Apache-2.0
// Idea: every load takes 16 bytes; the left tile is turned on its way, so that a thread's rows lie side by side.
// Changed from register_blocked: a quarter of the loads. Turning stores with two lanes to a bank.
// Needs: rows of both factors in whole 16 bytes; a picture that lies otherwise is copied first, timed as well.
// Block: 256 threads, 8 KiB of shared memory, 64 sums per thread in registers.
// Source: Nath, Tomov and Dongarra, An Improved MAGMA GEMM for Fermi, 2010; re-derived.
// Look at: wavefronts per shared store of the left tile: two lanes of each value's row meet in a bank.
#pragma once

#include "gpu/families/product/quads.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct VectorPolicy {
    static constexpr int kTile = 128, kDeep = 8, kSide = 8;
    static constexpr int kAcross = kTile / kSide, kThreads = kAcross * kAcross;
};

__global__ void __launch_bounds__(VectorPolicy::kThreads, 2) vectorised(Matrices<float> m) {
    using P = VectorPolicy;
    alignas(16) __shared__ float left[P::kDeep][P::kTile];
    alignas(16) __shared__ float right[P::kDeep][P::kTile];
    const int x = threadIdx.x % P::kAcross * P::kSide, y = threadIdx.x / P::kAcross * P::kSide;
    const int top = blockIdx.y * P::kTile, start = blockIdx.x * P::kTile;
    const int leftRow = threadIdx.x / 2, leftK = threadIdx.x % 2 * 4;
    const int rightK = threadIdx.x / 32, rightColumn = threadIdx.x % 32 * 4;
    const QuadSource source(m);
    float sum[P::kSide][P::kSide] = {};
    for (int first = 0; first < m.inner; first += P::kDeep) {
        float turned[4];
        spread(source.leftQuad(top + leftRow, first + leftK), turned);
#pragma unroll
        for (int i = 0; i < 4; ++i) left[leftK + i][leftRow] = turned[i];
        *reinterpret_cast<float4*>(&right[rightK][rightColumn]) = source.rightQuad(first + rightK, start + rightColumn);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < P::kDeep; ++k) {
            float across[P::kSide], down[P::kSide];
#pragma unroll
            for (int i = 0; i < P::kSide; i += 4) {
                spread(*reinterpret_cast<const float4*>(&right[k][x + i]), across + i);
                spread(*reinterpret_cast<const float4*>(&left[k][y + i]), down + i);
            }
#pragma unroll
            for (int i = 0; i < P::kSide; ++i)
#pragma unroll
                for (int j = 0; j < P::kSide; ++j) sum[i][j] += down[i] * across[j];
        }
        __syncthreads();
    }
    const bool wide = m.wideStores();
#pragma unroll
    for (int i = 0; i < P::kSide; ++i)
#pragma unroll
        for (int j = 0; j < P::kSide; j += 4) {
            const float four[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            m.storeFour(top + y + i, start + x + j, four, wide);
        }
}

inline void launchVectorised(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    launch(c, &vectorised, gridOf(m, VectorPolicy::kTile, VectorPolicy::kTile), dim3(VectorPolicy::kThreads), 0,
           matricesOf<float>(c, m));
}

inline Footprint vectorFootprint(const Case&, const TunableValues&) {
    return tileFootprint(VectorPolicy::kThreads, VectorPolicy::kTile, VectorPolicy::kTile, VectorPolicy::kDeep);
}

KernelEntry vectorised_entry() { return {.multiply = &launchVectorised, .footprint = &vectorFootprint, .quads = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
