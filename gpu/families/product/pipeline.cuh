// SPDX-License-Identifier: Apache-2.0
#pragma once

// A product whose tiles arrive while others are multiplied: double_buffered, and what im2col multiplies by.

#include "gpu/families/product/quads.cuh"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// kHigh: outputs of a thread below one another: 4, 8 or 16.
template <int kHigh>
struct PipelinePolicy {
    static constexpr int kThreads = 256, kColumns = 128, kDeep = 16, kStages = 3;
    static constexpr int kRows = 16 * kHigh;        ///< two warps of 8 lanes
    static constexpr int kLeftRow = kDeep + 4;      ///< 20 words: eight rows meet in no bank
    static constexpr int kLeft = kRows * kLeftRow;  ///< floats of a stage
    static constexpr int kStage = kLeft + kDeep * kColumns;
    static constexpr std::size_t kBytes = sizeof(float) * kStages * kStage;
    static constexpr int kBlocks = kHigh > 8 ? 1 : 2;  ///< a multiprocessor
};

/// Asks for a tile of both factors, from term `first` on.
template <int kHigh>
__device__ void fetch(const QuadSource& source, float* stage, int top, int start, int first) {
    using P = PipelinePolicy<kHigh>;
    const auto bring = [&](float* to, const float* from, int k) {
        if (k < source.terms)
            copyAsync(to, from);
        else
            *reinterpret_cast<float4*>(to) = make_float4(0, 0, 0, 0);
    };
#pragma unroll
    for (int i = 0; i < P::kRows * P::kDeep / 4 / P::kThreads; ++i) {
        const int row = threadIdx.x / 4 + i * (P::kThreads / 4), k = threadIdx.x % 4 * 4;
        bring(stage + row * P::kLeftRow + k, source.left(top + row, first + k), first + k);
    }
#pragma unroll
    for (int i = 0; i < P::kDeep * P::kColumns / 4 / P::kThreads; ++i) {
        const int k = threadIdx.x / 32 + i * (P::kThreads / 32), column = threadIdx.x % 32 * 4;
        bring(stage + P::kLeft + k * P::kColumns + column, source.right(first + k, start + column), first + k);
    }
}

template <int kHigh>
__global__ void __launch_bounds__(PipelinePolicy<kHigh>::kThreads, PipelinePolicy<kHigh>::kBlocks)
    double_buffered(Matrices<float> m) {
    using P = PipelinePolicy<kHigh>;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 4 * (P::kRows / 2) + lane / 4, x = warp % 4 * 32 + lane % 4 * 4;
    const int top = blockIdx.y * P::kRows, start = blockIdx.x * P::kColumns;
    const QuadSource source(m);
#pragma unroll
    for (int stage = 0; stage < P::kStages - 1; ++stage) {
        fetch<kHigh>(source, dynamicShared + stage * P::kStage, top, start, stage * P::kDeep);
        commitCopies();
    }
    float sum[kHigh][8] = {};
    int stage = 0;
#pragma unroll 1
    for (int first = 0; first < m.inner; first += P::kDeep) {
        awaitCopies<P::kStages - 2>();
        __syncthreads();  // this tile is there for all, and all are done with the
                          // one before
        const int free = stage == 0 ? P::kStages - 1 : stage - 1;
        fetch<kHigh>(source, dynamicShared + free * P::kStage, top, start, first + (P::kStages - 1) * P::kDeep);
        commitCopies();
        const float* const left = dynamicShared + stage * P::kStage + y * P::kLeftRow;
        const float* const right = dynamicShared + stage * P::kStage + P::kLeft + x;
#pragma unroll
        for (int k = 0; k < P::kDeep; k += 4) {
            float down[kHigh][4];
#pragma unroll
            for (int i = 0; i < kHigh; ++i)
                spread(*reinterpret_cast<const float4*>(left + 8 * i * P::kLeftRow + k), down[i]);
#pragma unroll
            for (int term = 0; term < 4; ++term) {
                float across[8];
                spread(*reinterpret_cast<const float4*>(right + (k + term) * P::kColumns), across);
                spread(*reinterpret_cast<const float4*>(right + (k + term) * P::kColumns + 16), across + 4);
#pragma unroll
                for (int i = 0; i < kHigh; ++i)
#pragma unroll
                    for (int j = 0; j < 8; ++j) sum[i][j] += down[i][term] * across[j];
            }
        }
        stage = stage == P::kStages - 1 ? 0 : stage + 1;
    }
    awaitCopies<0>();
    const bool wide = m.wideStores();
#pragma unroll
    for (int i = 0; i < kHigh; ++i)
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const float four[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            m.storeFour(top + y + 8 * i, start + x + 4 * j, four, wide);
        }
}

template <int kHigh>
void launchPipeline(LaunchContext& c, const Multiplication& m) {
    using P = PipelinePolicy<kHigh>;
    launch(c, &double_buffered<kHigh>, gridOf(m, P::kColumns, P::kRows), dim3(P::kThreads), P::kBytes,
           matricesOf<float>(c, m));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
