// SPDX-License-Identifier: Apache-2.0
// Idea: 48 filters times the windows of 64 pixels are matrices for tensor cores, in f16 and one product.
// Changed from implicit: weights and values are scaled and rounded to 11 bits; windows are read four values at a time
// from a tile that holds, for every place, the four values from there on.
// Needs: compute capability 8.0, filters up to 16 x 16, finite values. Its bound is its own: 2^-10 of the sum.
// Block: 256 threads, 64 x 32 pixels, 48 filters; 54 KiB shared at 15 x 15, 96 sums per thread.
// Source: Chetlur et al., cuDNN, 2014; our own.
// Look at: the tile is four times as large as it need be, and no value is ever shifted.
#pragma once

#include "gpu/families/product/windows.cuh"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct BankPolicy {
    static constexpr int kWidth = 64, kHeight = 32, kFilters = 48, kThreads = 256, kLargest = 16;
    static constexpr int kBlocks = kFilters / 16, kWarps = kThreads / 32;
    static constexpr int kRow = kWidth + kLargest;      ///< places of a row of the tile
    static constexpr int kFragment = kBlocks * 32 * 4;  ///< words of a row of taps
};

/// Weights as the lanes of a warp hold them: a group of filters, a row of taps, 16 filters, a lane, four pairs. A lane
/// has taps 4 t to 4 t + 3 of filters g and g + 8.
__global__ void bankFragments(const float* filters, unsigned* to, Banking bank, int words) {
    const int word = blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= words) return;
    const int part = word % 4, lane = word / 4 % 32, block = word / 128 % BankPolicy::kBlocks;
    const int row = word / BankPolicy::kFragment % bank.side, group = word / BankPolicy::kFragment / bank.side;
    const int filter = group * BankPolicy::kFilters + block * 16 + lane / 4 + part % 2 * 8;
    const int tap = lane % 4 * 4 + part / 2 * 2;
    const auto weight = [&](int i) {
        return filter < bank.count && i < bank.side
                   ? filters[filter * bank.filterRow + row * bank.side + i] * bank.weightScale
                   : 0.0F;
    };
    to[word] = toF16Pair(weight(tap), weight(tap + 1));
}

/// Four words of shared memory from pairs.
__device__ inline void storeWords(float* to, unsigned a, unsigned b, unsigned c, unsigned d) {
    const unsigned words[4] = {a, b, c, d};
    float4 four;
    memcpy(static_cast<void*>(&four), words, sizeof four);
    *reinterpret_cast<float4*>(to) = four;
}

/// The tile: at each place of a row the four values from there on, two pairs.
__device__ inline void bringTile(const BankBlock<BankPolicy>& block, const Banking& bank, const void* in, float* tile) {
    using P = BankPolicy;
    constexpr int kStrips = P::kRow / 4;
    block.withValues(bank, in, [&](const auto& value) {
#pragma unroll 1
        for (int i = threadIdx.x; i < (P::kHeight + bank.side - 1) * kStrips; i += P::kThreads) {
            float v[7];
#pragma unroll
            for (int k = 0; k < 7; ++k) v[k] = value(i % kStrips * 4 + k, i / kStrips) * bank.inputScale;
            unsigned pair[6];
#pragma unroll
            for (int k = 0; k < 6; ++k) pair[k] = toF16Pair(v[k], v[k + 1]);
            storeWords(tile + i * 8, pair[0], pair[2], pair[1], pair[3]);
            storeWords(tile + i * 8 + 4, pair[2], pair[4], pair[3], pair[5]);
        }
    });
}

__global__ void __launch_bounds__(BankPolicy::kThreads, 2)
    implicit_tensor(const void* in, const float* fragments, float* out, Banking bank) {
    using P = BankPolicy;
    const BankBlock<P> block(bank);
    const int left = block.left, top = block.top;
    float* const weights = dynamicShared;
    float* const tile = dynamicShared + bank.side * P::kFragment;
    const float* const from = fragments + std::int64_t{block.group} * bank.side * P::kFragment;
    for (int i = threadIdx.x * 4; i < bank.side * P::kFragment; i += P::kThreads * 4) copyAsync(weights + i, from + i);
    commitCopies();
    bringTile(block, bank, in, tile);
    awaitCopies<0>();
    __syncthreads();
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const bool wide = bank.width % 2 == 0;
    const float inputBack = 1 / bank.inputScale, weightBack = 1 / bank.weightScale;
#pragma unroll 1
    for (int y = threadIdx.x / 32; y < P::kHeight && top + y < bank.height; y += P::kWarps) {
        float sum[P::kBlocks][8][4] = {};
#pragma unroll 1
        for (int j = 0; j < bank.side; ++j) {
            unsigned a[P::kBlocks][4];
#pragma unroll
            for (int m = 0; m < P::kBlocks; ++m) {
                const float4 four = *reinterpret_cast<const float4*>(weights + j * P::kFragment + (m * 32 + lane) * 4);
                memcpy(a[m], static_cast<const void*>(&four), sizeof four);
            }
            const float* const line = tile + ((y + j) * P::kRow + g + 4 * t) * 2;
#pragma unroll
            for (int n = 0; n < 8; ++n) {
                const float2 two = *reinterpret_cast<const float2*>(line + 16 * n);
                unsigned b[2];
                memcpy(&b[0], &two.x, sizeof b[0]);
                memcpy(&b[1], &two.y, sizeof b[1]);
#pragma unroll
                for (int m = 0; m < P::kBlocks; ++m) multiplyAddF16(sum[m][n], a[m], b, sum[m][n]);
            }
        }
#pragma unroll
        for (int m = 0; m < P::kBlocks; ++m) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const int filter = 16 * m + 8 * half + g;
                if (block.group * P::kFilters + filter >= bank.count) continue;
                float* const to = block.output(bank, out, filter, y);
#pragma unroll
                for (int n = 0; n < 8; ++n) {
                    const int x = 8 * n + 2 * t;
                    // By turns: the product of both may not fit.
                    const float first = sum[m][n][2 * half] * inputBack * weightBack;
                    const float second = sum[m][n][2 * half + 1] * inputBack * weightBack;
                    if (wide && left + x < bank.width) {
                        __stcs(reinterpret_cast<float2*>(to + x), float2{first, second});
                    } else {
                        if (left + x < bank.width) to[x] = first;
                        if (left + x + 1 < bank.width) to[x + 1] = second;
                    }
                }
            }
        }
    }
}

inline int bankGroups(int count) { return (count + BankPolicy::kFilters - 1) / BankPolicy::kFilters; }
inline int bankWords(int count, int side) { return bankGroups(count) * side * BankPolicy::kFragment; }
inline std::size_t bankBytes(int side) {
    using P = BankPolicy;
    return sizeof(float) * static_cast<std::size_t>(side * P::kFragment + (P::kHeight + side - 1) * P::kRow * 2);
}

inline void launchImplicitTensor(LaunchContext& c, const Banking& bank, const TunableValues&) {
    using P = BankPolicy;
    const int words = bankWords(bank.count, bank.side);
    auto* const fragments = static_cast<unsigned*>(c.address(bank.scratch));
    launch(c, &bankFragments, dim3(ceilDiv(words, 256)), dim3(256), 0,
           static_cast<const float*>(c.address(bank.filters)), fragments, bank, words);
    launch(c, &implicit_tensor, bankGrid<P>(bank), dim3(P::kThreads), bankBytes(bank.side),
           static_cast<const void*>(c.address(bank.input)), reinterpret_cast<const float*>(fragments),
           static_cast<float*>(c.address(bank.output)), bank);
}

/// An f16 has 11 bits: a factor that is rounded lacks up to 2^-11 of itself, 2^12 eps. A byte fits. What is scaled
/// below 2^-14 lacks up to 2^-25.
inline Bound implicitTensorBound(const Case& asked, const TunableValues&) {
    const double lost = 0x1.01p-25 * asked.taps();
    return {.factor = 1,
            .lacks = asked.type == io::PixelType::u8 ? 0x1.01p12 : 0x1.01p13,
            .absolute = lost * (asked.largestFactor / asked.inputScale() + asked.largestInput / asked.weightScale())};
}

KernelEntry implicit_tensor_entry() {
    return {.filter = &launchImplicitTensor,
            .footprint = &bankFootprint<BankPolicy>,
            .filterScratch =
                [](const Case& asked) { return static_cast<std::size_t>(bankWords(asked.filters, asked.side)); },
            .sharedBytes = [](const Case& asked, const TunableValues&) { return bankBytes(asked.side); },
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&implicit_tensor); }},
            .bound = &implicitTensorBound,
            .largestValue = 3.4e38F,
            .largestSide = BankPolicy::kLargest};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
