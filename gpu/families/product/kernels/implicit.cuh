// SPDX-License-Identifier: Apache-2.0
// Idea: the same product without its right factor: windows overlap, so a tile of the picture with its halo holds all
// columns of a block, and a thread slides over eight neighbours' windows in registers.
// Changed from im2col: no band; a value from shared memory serves eight pixels of eight filters.
// Needs: nothing; what lies outside the picture is zero.
// Block: 64 threads, 64 x 8 pixels, 8 filters; the tile with its halo and up to 8 KiB of weights in shared memory.
// Source: Chetlur et al., cuDNN, 2014, for the product that is never written; the window in registers is our own.
// Look at: global loads beside im2col's, and two shared loads for 64 multiply-adds.
#pragma once

#include "gpu/families/product/quads.cuh"
#include "gpu/families/product/windows.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct ImplicitPolicy {
    static constexpr int kSide = 8;  ///< pixels in a row and filters of a thread
    static constexpr int kWidth = 64, kHeight = 8, kFilters = kSide, kThreads = kWidth / kSide * kHeight;
    static constexpr int kBlocks = 8;           ///< a multiprocessor
    static constexpr int kWeightFloats = 2048;  ///< in shared memory at a time
};

/// Floats of a row of the tile: windows are read eight values at a time.
__host__ __device__ inline int implicitRow(int side) { return ImplicitPolicy::kWidth + (side + 7) / 8 * 8; }
__host__ __device__ inline int implicitTile(int side) {
    return implicitRow(side) * (ImplicitPolicy::kHeight + side - 1);
}
/// Rows of taps whose weights are there together.
__host__ __device__ inline int implicitTaps(int side) {
    const int rows = ImplicitPolicy::kWeightFloats / (ImplicitPolicy::kFilters * side);
    return rows < side ? rows : side;
}

__device__ inline void readEight(const float* from, float* to) {
    spread(*reinterpret_cast<const float4*>(from), to);
    spread(*reinterpret_cast<const float4*>(from + 4), to + 4);
}

/// Rows of taps from the first on, for all filters and pixels of a thread. Sides that are known are unrolled, so that a
/// tap's weights come while those before it are multiplied, and no window is ever shifted; kSide 0: any other.
template <int kSide>
__device__ void addRows(float (&sum)[8][8], const float* line, int row, const float* weight, int rows, int side) {
    using P = ImplicitPolicy;
    constexpr int kTaps = kSide > 0 ? kSide : P::kSide;  ///< at a time
    const auto add = [&](const float* weights, const float* window) {
#pragma unroll
        for (int f = 0; f < P::kSide; ++f)
#pragma unroll
            for (int p = 0; p < P::kSide; ++p) sum[f][p] += weights[f] * window[p];
    };
#pragma unroll 1
    for (int j = 0; j < rows; ++j, line += row) {
#pragma unroll 1
        for (int first = 0; first < (kSide > 0 ? 1 : side); first += kTaps) {
            float window[P::kSide + (kTaps + 3) / 4 * 4], weights[2][P::kSide];
            readEight(line + first, window);
            readEight(weight, weights[0]);
#pragma unroll
            for (int tap = 0; tap < kTaps; ++tap) {
                if (kSide == 0 && first + tap >= side) break;
                if (tap % 4 == 0)
                    spread(*reinterpret_cast<const float4*>(line + first + P::kSide + tap), window + P::kSide + tap);
                weight += P::kFilters;
                if (kSide == 0 || tap + 1 < kTaps) readEight(weight, weights[(tap + 1) % 2]);
                add(weights[tap % 2], window + tap);
            }
        }
    }
}

template <int kSide>
__global__ void __launch_bounds__(ImplicitPolicy::kThreads, ImplicitPolicy::kBlocks)
    implicit(const void* in, const float* filters, float* out, Banking bank) {
    using P = ImplicitPolicy;
    const BankBlock<P> block(bank);
    const int side = kSide > 0 ? kSide : bank.side, row = implicitRow(side), firstFilter = block.group * P::kFilters;
    const int left = block.left, top = block.top;
    float* const tile = dynamicShared;
    float* const weights = dynamicShared + implicitTile(side);
    block.withValues(bank, in, [&](const auto& value) {
        for (int i = threadIdx.x; i < implicitTile(side); i += P::kThreads) tile[i] = value(i % row, i / row);
    });
    const int x = threadIdx.x % 8 * P::kSide, y = threadIdx.x / 8;
    const int chunk = implicitTaps(side);
    float sum[P::kSide][P::kSide] = {};  // filter, pixel
    for (int firstRow = 0; firstRow < side; firstRow += chunk) {
        const int rows = chunk < side - firstRow ? chunk : side - firstRow;
        __syncthreads();
        // One tap more: what is read ahead of the last.
        for (int i = threadIdx.x; i < (rows * side + 1) * P::kFilters; i += P::kThreads) {
            const int filter = firstFilter + i % P::kFilters, tap = firstRow * side + i / P::kFilters;
            const bool there = filter < bank.count && tap < side * side;
            weights[i] = there ? filters[filter * bank.filterRow + tap] : 0.0F;
        }
        __syncthreads();
        addRows<kSide>(sum, tile + (y + firstRow) * row + x, row, weights, rows, side);
    }
    const auto quad = [&](int f, int p) { return make_float4(sum[f][p], sum[f][p + 1], sum[f][p + 2], sum[f][p + 3]); };
    const int filtersLeft = bank.count - firstFilter;
    if (bank.width % 4 == 0) {
        if (top + y >= bank.height) return;
#pragma unroll
        for (int f = 0; f < P::kSide; ++f) {
            if (f >= filtersLeft) break;
            float* const to = block.output(bank, out, f, y) + x;
#pragma unroll
            for (int p = 0; p < P::kSide; p += 4)
                if (left + x + p < bank.width) __stcs(reinterpret_cast<float4*>(to + p), quad(f, p));
        }
        return;
    }
    // Rows begin anywhere: a warp's four go through shared memory, so that its lanes store neighbours.
    constexpr int kOfWarp = 32 * P::kSide;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float* const staged = dynamicShared + warp * kOfWarp;
    __syncthreads();  // the tile is done with
#pragma unroll
    for (int f = 0; f < P::kSide; ++f) {
        if (f >= filtersLeft) break;
#pragma unroll
        for (int p = 0; p < P::kSide; p += 4) *reinterpret_cast<float4*>(&staged[lane * P::kSide + p]) = quad(f, p);
        __syncwarp();
#pragma unroll
        for (int i = lane; i < kOfWarp; i += 32) {
            const int column = i % P::kWidth, line = y - lane / 8 + i / P::kWidth;
            if (left + column < bank.width && top + line < bank.height)
                block.output(bank, out, f, line)[column] = staged[i];
        }
        __syncwarp();
    }
}

inline std::size_t implicitBytes(int side) {
    return sizeof(float) *
           static_cast<std::size_t>(implicitTile(side) + (implicitTaps(side) * side + 1) * ImplicitPolicy::kFilters);
}

inline void launchImplicit(LaunchContext& c, const Banking& bank, const TunableValues&) {
    using P = ImplicitPolicy;
    using Kernel = void (*)(const void*, const float*, float*, Banking);
    const auto kernelOf = [](int side) -> Kernel {
        switch (side) {
            case 5: return &implicit<5>;
            case 7: return &implicit<7>;
            case 9: return &implicit<9>;
            case 11: return &implicit<11>;
            case 13: return &implicit<13>;
            case 15: return &implicit<15>;
            default: return &implicit<0>;
        }
    };
    launch(c, kernelOf(bank.side), bankGrid<P>(bank), dim3(P::kThreads), implicitBytes(bank.side),
           static_cast<const void*>(c.address(bank.input)), static_cast<const float*>(c.address(bank.filters)),
           static_cast<float*>(c.address(bank.output)), bank);
}

KernelEntry implicit_entry() {
    return {.filter = &launchImplicit,
            .footprint = &bankFootprint<ImplicitPolicy>,
            .sharedBytes = [](const Case& asked, const TunableValues&) { return implicitBytes(asked.side); }};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
