// SPDX-License-Identifier: Apache-2.0
// Idea: the same product without its right factor: windows overlap, so a tile of the picture with its halo holds all
// columns of a block, and a thread slides over eight neighbours' windows in registers.
// Changed from im2col: no band; a value from shared memory serves eight pixels of eight filters.
// Needs: nothing; what lies outside the picture is zero.
// Block: 256 threads, 64 x 16 pixels, 16 filters; the tile with its halo and up to 16 KiB of weights in shared memory.
// Source: Chetlur et al., cuDNN, 2014, for the product that is never written; the window in registers is our own.
// Look at: global loads beside im2col's, and two shared loads for 64 multiply-adds.
#pragma once

#include "gpu/families/product/quads.cuh"
#include "gpu/kernels/shared.cuh"

#include <algorithm>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct ImplicitPolicy {
    static constexpr int kWidth = 64, kHeight = 16, kFilters = 16, kThreads = 256;
    static constexpr int kSide = 8;             ///< pixels in a row and filters of a thread
    static constexpr int kWeightFloats = 4096;  ///< in shared memory at a time
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

template <class T>
__global__ void __launch_bounds__(ImplicitPolicy::kThreads, 2)
    implicit(const T* in, const float* filters, float* out, Banking bank) {
    using P = ImplicitPolicy;
    const int side = bank.side, before = side / 2, row = implicitRow(side);
    const int groups = (bank.count + P::kFilters - 1) / P::kFilters;
    const int channel = blockIdx.z / groups, firstFilter = blockIdx.z % groups * P::kFilters;
    const int left = blockIdx.x * P::kWidth, top = blockIdx.y * P::kHeight;
    const std::int64_t pixels = std::int64_t{bank.width} * bank.height;
    const T* const plane = in + channel * pixels;
    float* const tile = dynamicShared;
    float* const weights = dynamicShared + implicitTile(side);
    for (int i = threadIdx.x; i < implicitTile(side); i += P::kThreads) {
        const int x = left + i % row - before, y = top + i / row - before;
        const bool inside = x >= 0 && x < bank.width && y >= 0 && y < bank.height;
        tile[i] = inside ? static_cast<float>(plane[std::int64_t{y} * bank.width + x]) : 0.0F;
    }
    const int group = threadIdx.x / 128 * P::kSide, x = threadIdx.x % 8 * P::kSide, y = threadIdx.x / 8 % P::kHeight;
    const int chunk = implicitTaps(side);
    float sum[P::kSide][P::kSide] = {};  // filter, pixel
    for (int firstRow = 0; firstRow < side; firstRow += chunk) {
        const int rows = chunk < side - firstRow ? chunk : side - firstRow;
        __syncthreads();
        for (int i = threadIdx.x; i < rows * side * P::kFilters; i += P::kThreads) {
            const int filter = firstFilter + i % P::kFilters, tap = firstRow * side + i / P::kFilters;
            weights[i] = filter < bank.count ? filters[filter * bank.filterRow + tap] : 0.0F;
        }
        __syncthreads();
        const float* weight = weights + group;
        for (int j = 0; j < rows; ++j) {
            const float* const line = tile + (y + firstRow + j) * row + x;
            float window[2 * P::kSide];
            readEight(line, window);
#pragma unroll 1
            for (int i = 0; i < side; i += P::kSide) {
                readEight(line + i + P::kSide, window + P::kSide);
#pragma unroll
                for (int tap = 0; tap < P::kSide; ++tap) {
                    if (i + tap >= side) break;
                    float eight[P::kSide];
                    readEight(weight, eight);
                    weight += P::kFilters;
#pragma unroll
                    for (int f = 0; f < P::kSide; ++f)
#pragma unroll
                        for (int p = 0; p < P::kSide; ++p) sum[f][p] += eight[f] * window[tap + p];
                }
#pragma unroll
                for (int p = 0; p < P::kSide; ++p) window[p] = window[p + P::kSide];
            }
        }
    }
    if (top + y >= bank.height) return;
    const bool wide = bank.width % 4 == 0;
#pragma unroll
    for (int f = 0; f < P::kSide; ++f) {
        if (firstFilter + group + f >= bank.count) break;
        float* const to = out + (std::int64_t{channel} * bank.count + firstFilter + group + f) * pixels +
                          std::int64_t{top + y} * bank.width + left + x;
#pragma unroll
        for (int p = 0; p < P::kSide; p += 4) {
            if (wide && left + x + p < bank.width) {
                __stcs(reinterpret_cast<float4*>(to + p),
                       make_float4(sum[f][p], sum[f][p + 1], sum[f][p + 2], sum[f][p + 3]));
            } else {
#pragma unroll
                for (int i = p; i < p + 4; ++i)
                    if (left + x + i < bank.width) to[i] = sum[f][i];
            }
        }
    }
}

inline std::size_t implicitBytes(int side) {
    return sizeof(float) *
           static_cast<std::size_t>(implicitTile(side) + implicitTaps(side) * side * ImplicitPolicy::kFilters);
}

inline void launchImplicit(LaunchContext& c, const Banking& bank, const TunableValues&) {
    using P = ImplicitPolicy;
    const dim3 grid(ceilDiv(bank.width, P::kWidth), ceilDiv(bank.height, P::kHeight),
                    ceilDiv(bank.count, P::kFilters) * static_cast<unsigned>(bank.channels));
    const auto* const filters = static_cast<const float*>(c.address(bank.filters));
    auto* const out = static_cast<float*>(c.address(bank.output));
    io::withSampleType(bank.type, [&]<class T>(T) {
        launch(c, &implicit<T>, grid, dim3(P::kThreads), implicitBytes(bank.side),
               static_cast<const T*>(c.address(bank.input)), filters, out, bank);
    });
}

inline Footprint implicitFootprint(const Case& asked, const TunableValues&) {
    using P = ImplicitPolicy;
    const int before = asked.side / 2, after = asked.side - 1 - before;
    return {.blockWidth = P::kThreads,
            .blockHeight = 1,
            .tileWidth = P::kWidth,
            .tileHeight = P::kHeight,
            .stagedLeft = before,
            .stagedTop = before,
            .stagedRight = after,
            .stagedBottom = after,
            .staged = true,
            .haloX = before,
            .haloY = before};
}

KernelEntry implicit_entry() {
    return {.filter = &launchImplicit,
            .footprint = &implicitFootprint,
            .sharedBytes = [](const Case& asked, const TunableValues&) { return implicitBytes(asked.side); }};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
