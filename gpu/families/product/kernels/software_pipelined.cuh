// SPDX-License-Identifier: Apache-2.0
// Idea: while a term is multiplied, the next one's values come from shared memory to registers.
// Changed from double_buffered: 16 x 8 outputs per thread, 24 values for 128 multiply-adds; the left factor is turned
// once beforehand, which is timed as well, so that both tiles lie as they are read and are copied 16 bytes at a time.
// Needs: rows of the right factor in whole 16 bytes.
// Block: 128 threads, two a multiprocessor, 128 x 128 outputs, tiles 16 deep; 48 KiB of shared memory, 128 sums per
// thread.
// Source: CUTLASS, Efficient GEMM in CUDA; re-derived.
// Look at: registers, two warps a scheduler, and that they are enough where nothing waits for shared memory.
#pragma once

#include "gpu/families/product/quads.cuh"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

#include <algorithm>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct SoftwarePolicy {
    static constexpr int kTile = 128, kDeep = 16, kThreads = 128, kStages = 3;
    static constexpr int kHigh = 16, kWide = 8;            ///< outputs of a thread, in quads
    static constexpr int kWarp = 64;                       ///< side of a warp's tile: 4 x 8 lanes
    static constexpr int kLaneRows = 4, kLaneColumns = 8;  ///< of a warp
    static constexpr int kFactor = kDeep * kTile, kStage = 2 * kFactor;
    static constexpr std::size_t kBytes = sizeof(float) * kStages * kStage;
    static constexpr int kBand = 8;  ///< tiles below one another that blocks make before they move on: fewer columns
                                     ///< of B are under way at a time
};

/// How A lies when it is turned: terms, then rows, both filled up with zeros to whole tiles.
struct TurnedShape {
    int terms, rows;

    std::size_t floats() const { return static_cast<std::size_t>(terms) * static_cast<std::size_t>(rows); }
};
inline TurnedShape turnedShape(const Multiplication& m) {
    using P = SoftwarePolicy;
    const auto whole = [](int n, int of) { return (n + of - 1) / of * of; };
    return {whole(m.inner, P::kDeep), whole(m.rows, P::kTile)};
}

/// A's rows become columns, by tiles of 32 x 32 in shared memory whose rows are a value longer.
template <class T>
__global__ void turnLeft(const T* a, std::int64_t aRow, int rows, int inner, float* to, TurnedShape shape) {
    __shared__ float tile[32][33];
    const int firstRow = blockIdx.x * 32, firstTerm = blockIdx.y * 32;
    const int term = firstTerm + threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = firstRow + y;
        tile[y][threadIdx.x] = row < rows && term < inner ? static_cast<float>(a[row * aRow + term]) : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8)
        if (firstTerm + y < shape.terms)
            to[std::int64_t{firstTerm + y} * shape.rows + firstRow + threadIdx.x] = tile[threadIdx.x][y];
}

/// What a thread copies of each tile: quads of terms that are four apart, from the next tile on.
struct TileSource {
    const float *left, *right;
    std::int64_t leftRow, rightRow;
    int term, terms;  ///< the thread's first one; those of B, in whole quads
    int place;        ///< in a tile

    __device__ TileSource(const Matrices<float>& m, const float* turned, int turnedRow, int top, int start)
        : leftRow(turnedRow), rightRow(m.bRow), term(threadIdx.x / 32), terms((m.inner + 3) / 4 * 4) {
        const int quad = threadIdx.x % 32 * 4, last = (m.columns + 3) / 4 * 4 - 4, column = start + quad;
        left = turned + term * leftRow + top + quad;
        right = m.right() + term * rightRow + (column < last ? column : last);
        place = term * SoftwarePolicy::kTile + quad;
    }
    /// The next tile, to a stage. Beyond B's last term there are zeros, as A's are.
    __device__ void fetch(float* stage) {
        using P = SoftwarePolicy;
        constexpr int kApart = P::kThreads / 32;
#pragma unroll
        for (int i = 0; i < P::kDeep; i += kApart) {
            float* const to = stage + place + i * P::kTile;
            copyAsync(to, left + i * leftRow);
            if (term + i < terms)
                copyAsync(to + P::kFactor, right + i * rightRow);
            else
                *reinterpret_cast<float4*>(to + P::kFactor) = make_float4(0, 0, 0, 0);
        }
        left += P::kDeep * leftRow;
        right += P::kDeep * rightRow;
        term += P::kDeep;
    }
};

/// The values that one term has for a thread: quads of rows and of columns.
struct Fragment {
    using P = SoftwarePolicy;
    float down[P::kHigh], across[P::kWide];

    __device__ void read(const float* left, const float* right) {
#pragma unroll
        for (int i = 0; i < P::kHigh; i += 4)
            spread(*reinterpret_cast<const float4*>(left + i * P::kLaneRows), down + i);
#pragma unroll
        for (int j = 0; j < P::kWide; j += 4)
            spread(*reinterpret_cast<const float4*>(right + j * P::kLaneColumns), across + j);
    }
    /// To and fro, so that a value stays where it was for the next multiply-add.
    __device__ void multiply(float (&sum)[P::kHigh][P::kWide]) const {
#pragma unroll
        for (int i = 0; i < P::kHigh; ++i)
#pragma unroll
            for (int n = 0; n < P::kWide; ++n) {
                const int j = i % 2 == 0 ? n : P::kWide - 1 - n;
                sum[i][j] += down[i] * across[j];
            }
    }
};

__global__ void __launch_bounds__(SoftwarePolicy::kThreads, 2)
    software_pipelined(Matrices<float> m, const float* turned, TurnedShape shape) {
    using P = SoftwarePolicy;
    const int number = blockIdx.y * gridDim.x + blockIdx.x, band = number / (P::kBand * gridDim.x);
    const int before = band * P::kBand, after = gridDim.y - before, high = after < P::kBand ? after : P::kBand;
    const int inBand = number - before * gridDim.x;
    const int top = (before + inBand % high) * P::kTile, start = inBand / high * P::kTile;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 2 * P::kWarp + lane / P::kLaneColumns * 4,
              x = warp % 2 * P::kWarp + lane % P::kLaneColumns * 4;
    TileSource source(m, turned, shape.rows, top, start);
    const auto fetch = [&](int stage, int first) {
        if (first < shape.terms) source.fetch(dynamicShared + stage * P::kStage);
        commitCopies();
    };
#pragma unroll
    for (int stage = 0; stage < P::kStages - 1; ++stage) fetch(stage, stage * P::kDeep);
    float sum[P::kHigh][P::kWide] = {};
    Fragment fragments[2];
    const auto read = [&](int stage, int k) {
        const float* const at = dynamicShared + stage * P::kStage + k * P::kTile;
        fragments[k % 2].read(at + y, at + P::kFactor + x);
    };
    int stage = 0;
    awaitCopies<P::kStages - 2>();
    __syncthreads();
    read(0, 0);
#pragma unroll 1
    for (int first = 0; first < shape.terms; first += P::kDeep) {
        const int next = stage == P::kStages - 1 ? 0 : stage + 1, free = stage == 0 ? P::kStages - 1 : stage - 1;
        fetch(free, first + (P::kStages - 1) * P::kDeep);
#pragma unroll
        for (int k = 0; k < P::kDeep; ++k) {
            if (k + 1 < P::kDeep) {
                read(stage, k + 1);
            } else {
                awaitCopies<P::kStages - 2>();
                __syncthreads();  // the next tile is there for all, and all have read this one
                if (first + P::kDeep < shape.terms) read(next, 0);
            }
            fragments[k % 2].multiply(sum);
        }
        stage = next;
    }
    awaitCopies<0>();
    const bool wide = m.wideStores();
#pragma unroll
    for (int i = 0; i < P::kHigh; ++i)
#pragma unroll
        for (int j = 0; j < P::kWide; j += 4) {
            const float four[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            m.storeFour(top + y + i / 4 * 4 * P::kLaneRows + i % 4, start + x + j * P::kLaneColumns, four, wide);
        }
}

/// The left factor is turned layer by layer, and the room for that used again.
inline void launchSoftwarePipelined(LaunchContext& c, const Multiplication& m, const TunableValues&) {
    using P = SoftwarePolicy;
    const TurnedShape shape = turnedShape(m);
    auto* const turned = static_cast<float*>(c.address(m.scratch));
    dim3 grid = gridOf(m, P::kTile, P::kTile);
    grid.z = 1;
    for (int layer = 0; layer < m.layers; ++layer) {
        if (layer == 0 || m.a.layer != 0) {
            io::withSampleType(m.aType, [&]<class T>(T) {
                launch(c, &turnLeft<T>, dim3(ceilDiv(shape.rows, 32), ceilDiv(shape.terms, 32)), dim3(32, 8), 0,
                       matricesOf<T>(c, m).a + layer * m.a.layer, m.a.row, m.rows, m.inner, turned, shape);
            });
        }
        Matrices<float> of = matricesOf<float>(c, m);
        of.b += layer * m.b.layer;
        of.c = static_cast<char*>(of.c) + layer * m.c.layer * static_cast<std::int64_t>(io::sizeOf(m.cType));
        launch(c, &software_pipelined, grid, dim3(P::kThreads), P::kBytes, of, static_cast<const float*>(turned),
               shape);
    }
}

inline Footprint softwareFootprint(const Case&, const TunableValues&) {
    return tileFootprint(SoftwarePolicy::kThreads, SoftwarePolicy::kTile, SoftwarePolicy::kTile, SoftwarePolicy::kDeep);
}

KernelEntry software_pipelined_entry() {
    return {.multiply = &launchSoftwarePipelined,
            .footprint = &softwareFootprint,
            .multiplyScratch = [](const Multiplication& m) { return turnedShape(m).floats(); },
            .sharedBytes = [](const Case&, const TunableValues&) { return SoftwarePolicy::kBytes; },
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&software_pipelined); }}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
