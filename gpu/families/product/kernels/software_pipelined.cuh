// SPDX-License-Identifier: Apache-2.0
// Idea: while a term is multiplied, the next one's values come from shared memory to registers.
// Changed from double_buffered: 16 x 8 outputs per thread, 24 values for 128 multiply-adds; the left factor is turned
// once beforehand, which is timed as well, so that both tiles lie as they are read and are copied 16 bytes at a time.
// Tiles for which a last turn of blocks would be almost empty are split along the inner dimension (split-K).
// Needs: rows of the right factor in whole 16 bytes.
// Block: 128 threads, two a multiprocessor, 128 x 128 outputs, tiles 16 deep; 48 KiB of shared memory, 128 sums per
// thread; where that suits the size, a half or a quarter of the rows.
// Source: CUTLASS, Efficient GEMM in CUDA; re-derived.
// Look at: registers, two warps a scheduler, and that they are enough where nothing waits for shared memory.
#pragma once

#include "gpu/families/product/quads.cuh"
#include "gpu/families/product/split_k.hpp"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

#include <algorithm>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// kHigh: outputs of a thread below one another: 4, 8 or 16.
template <int kHigh>
struct SoftwarePolicy {
    static constexpr int kRows = 8 * kHigh, kColumns = SplitTile::kColumns, kDeep = SplitTile::kDeep;
    static constexpr int kThreads = 128, kStages = 3;
    static constexpr int kWide = 8;                        ///< outputs of a thread side by side, in quads
    static constexpr int kLaneRows = 4, kLaneColumns = 8;  ///< of a warp; two by two warps
    static constexpr int kLeft = kDeep * kRows, kStage = kLeft + kDeep * kColumns;
    static constexpr std::size_t kBytes = sizeof(float) * kStages * kStage;
    static constexpr int kBlocks = kHigh == 16 ? 2 : kHigh == 8 ? 3 : 6;  ///< a multiprocessor
    static constexpr int kBand = 8;  ///< tiles below one another that blocks make before they move on: fewer columns
                                     ///< of B are under way at a time
};

/// How A lies when it is turned: terms, then rows, both filled up with zeros to whole tiles.
struct TurnedShape {
    int terms, rows;

    std::size_t floats() const { return static_cast<std::size_t>(terms) * static_cast<std::size_t>(rows); }
};
inline TurnedShape turnedShape(const Multiplication& m, int tileRows) {
    const auto whole = [](int n, int of) { return (n + of - 1) / of * of; };
    return {whole(m.inner, SplitTile::kDeep), whole(m.rows, tileRows)};
}

/// A's rows become columns, by tiles of 32 x 32 in shared memory whose rows are a value longer. blockIdx.z: the layer.
template <class T>
__global__ void turnLeft(Matrices<T> m, float* to, TurnedShape shape) {
    __shared__ float tile[32][33];
    const int firstRow = blockIdx.x * 32, firstTerm = blockIdx.y * 32;
    const int term = firstTerm + threadIdx.x;
    const T* const a = m.left();
    to += blockIdx.z * std::int64_t{shape.terms} * shape.rows;
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = firstRow + y;
        tile[y][threadIdx.x] = row < m.rows && term < m.inner ? static_cast<float>(a[row * m.aRow + term]) : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < 32; y += 8)
        if (firstTerm + y < shape.terms)
            to[std::int64_t{firstTerm + y} * shape.rows + firstRow + threadIdx.x] = tile[threadIdx.x][y];
}

/// Where a block's tile lies: bands of tiles below one another, down one column of the band after the other.
struct TilePlace {
    int row, column;  ///< of tiles

    template <class P>
    static __device__ TilePlace of(int number, int across, int down) {
        const int band = number / (P::kBand * across), before = band * P::kBand, after = down - before;
        const int high = after < P::kBand ? after : P::kBand, inBand = number - before * across;
        return {before + inBand % high, inBand / high};
    }
};

/// Which tiles of a launch are split, as a kernel sees it: the blocks of the whole ones come first.
struct SplitGrid {
    int across, down;  ///< tiles of a layer
    int whole;         ///< tiles before the first that is split
    int splits, terms;

    __device__ bool isSplit() const { return static_cast<int>(blockIdx.x) >= whole; }
    __device__ int tile() const { return isSplit() ? whole + (blockIdx.x - whole) / splits : blockIdx.x; }
    __device__ int share() const { return isSplit() ? (blockIdx.x - whole) % splits : 0; }
};

/// What a thread copies of each tile: quads of terms that are some apart, from the next tile on.
template <int kHigh>
struct TileSource {
    using P = SoftwarePolicy<kHigh>;
    static constexpr int kLeftQuads = P::kRows / 4, kRightQuads = P::kColumns / 4;  ///< of a term
    const float *left, *right;
    std::int64_t leftRow, rightRow;
    int term, terms;            ///< the thread's first one of B; those of B, in whole quads
    int leftPlace, rightPlace;  ///< in a tile

    __device__ TileSource(const Matrices<float>& m, const float* turned, int turnedRow, int top, int start)
        : leftRow(turnedRow), rightRow(m.bRow), term(threadIdx.x / kRightQuads), terms((m.inner + 3) / 4 * 4) {
        const int leftTerm = threadIdx.x / kLeftQuads, row = threadIdx.x % kLeftQuads * 4;
        const int quad = threadIdx.x % kRightQuads * 4, last = (m.columns + 3) / 4 * 4 - 4, column = start + quad;
        left = turned + leftTerm * leftRow + top + row;
        right = m.right() + term * rightRow + (column < last ? column : last);
        leftPlace = leftTerm * P::kRows + row;
        rightPlace = term * P::kColumns + quad;
    }
    /// The next tile, to a stage. Beyond B's last term there are zeros, as A's are.
    __device__ void fetch(float* stage) {
        constexpr int kApart = P::kThreads / kRightQuads, kLeftApart = P::kThreads / kLeftQuads;
#pragma unroll
        for (int i = 0; i < P::kDeep; i += kApart) {
            if (i % kLeftApart == 0) copyAsync(stage + leftPlace + i * P::kRows, left + i * leftRow);
            float* const to = stage + P::kLeft + rightPlace + i * P::kColumns;
            if (term + i < terms)
                copyAsync(to, right + i * rightRow);
            else
                *reinterpret_cast<float4*>(to) = make_float4(0, 0, 0, 0);
        }
        left += P::kDeep * leftRow;
        right += P::kDeep * rightRow;
        term += P::kDeep;
    }
};

/// The values that one term has for a thread: quads of rows and of columns.
template <int kHigh>
struct Fragment {
    using P = SoftwarePolicy<kHigh>;
    float down[kHigh], across[P::kWide];

    __device__ void read(const float* left, const float* right) {
#pragma unroll
        for (int i = 0; i < kHigh; i += 4) spread(*reinterpret_cast<const float4*>(left + i * P::kLaneRows), down + i);
#pragma unroll
        for (int j = 0; j < P::kWide; j += 4)
            spread(*reinterpret_cast<const float4*>(right + j * P::kLaneColumns), across + j);
    }
    /// To and fro, so that a value stays where it was for the next multiply-add.
    __device__ void multiply(float (&sum)[kHigh][P::kWide]) const {
#pragma unroll
        for (int i = 0; i < kHigh; ++i)
#pragma unroll
            for (int n = 0; n < P::kWide; ++n) {
                const int j = i % 2 == 0 ? n : P::kWide - 1 - n;
                sum[i][j] += down[i] * across[j];
            }
    }
};

/// As one store, which nvcc otherwise takes apart where another branch stores the same values one by one.
__device__ inline void storeQuad(float* to, float4 four) {
#ifdef __CUDA_ARCH__
    __stwb(reinterpret_cast<float4*>(to), four);
#else
    *reinterpret_cast<float4*>(to) = four;
#endif
}

/// kSplit: a grid of blocks in a row, of which some make a share of a tile's sums; else of tiles, blockIdx.z the layer.
template <int kHigh, bool kSplit>
__global__ void __launch_bounds__(SoftwarePolicy<kHigh>::kThreads, SoftwarePolicy<kHigh>::kBlocks)
    software_pipelined(Matrices<float> m, const float* turned, std::int64_t turnedLayer, TurnedShape shape,
                       SplitGrid split, float* partial) {
    using P = SoftwarePolicy<kHigh>;
    int number = blockIdx.y * gridDim.x + blockIdx.x, across = gridDim.x, down = gridDim.y;
    if constexpr (kSplit) {
        across = split.across;
        down = split.down;
        number = split.tile();
        const int layer = number / (across * down);
        number -= layer * across * down;
        m = m.ofLayer(layer);
        turned += layer * turnedLayer;
        if (split.isSplit()) {
            const int first = split.share() * split.terms, left = shape.terms - first;
            m.b += first * m.bRow;
            m.inner -= first;
            turned += std::int64_t{first} * shape.rows;
            shape.terms = left < split.terms ? left : split.terms;
        }
    } else {
        turned += blockIdx.z * turnedLayer;
    }
    const TilePlace place = TilePlace::of<P>(number, across, down);
    const int top = place.row * P::kRows, start = place.column * P::kColumns;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int y = warp / 2 * (P::kRows / 2) + lane / P::kLaneColumns * 4,
              x = warp % 2 * (P::kColumns / 2) + lane % P::kLaneColumns * 4;
    TileSource<kHigh> source(m, turned, shape.rows, top, start);
    const auto fetch = [&](int stage, int first) {
        if (first < shape.terms) source.fetch(dynamicShared + stage * P::kStage);
        commitCopies();
    };
#pragma unroll
    for (int stage = 0; stage < P::kStages - 1; ++stage) fetch(stage, stage * P::kDeep);
    float sum[kHigh][P::kWide] = {};
    Fragment<kHigh> fragments[2];
    const auto read = [&](int stage, int k) {
        const float* const at = dynamicShared + stage * P::kStage;
        fragments[k % 2].read(at + k * P::kRows + y, at + P::kLeft + k * P::kColumns + x);
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
    const bool wide = m.wideStores(), toPartial = kSplit && split.isSplit();
    partial += (std::int64_t{blockIdx.x} - split.whole) * (P::kRows * P::kColumns);
#pragma unroll
    for (int i = 0; i < kHigh; ++i)
#pragma unroll
        for (int j = 0; j < P::kWide; j += 4) {
            const float four[4] = {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]};
            const int row = y + i / 4 * 4 * P::kLaneRows + i % 4, column = x + j * P::kLaneColumns;
            if (!toPartial)
                m.storeFour(top + row, start + column, four, wide);
            else if (top + row < m.rows)
                storeQuad(partial + row * P::kColumns + column, make_float4(four[0], four[1], four[2], four[3]));
        }
}

/// Adds the partial sums of a quad of outputs, in the order of the terms: always the same bits. A block: eight rows,
/// blockIdx.y, of a split tile, blockIdx.x.
template <int kHigh>
__global__ void addPartial(Matrices<float> m, const float* partial, SplitGrid split) {
    using P = SoftwarePolicy<kHigh>;
    const int tile = split.whole + blockIdx.x, layer = tile / (split.across * split.down);
    const TilePlace place = TilePlace::of<P>(tile - layer * split.across * split.down, split.across, split.down);
    const int y = blockIdx.y * blockDim.y + threadIdx.y, x = threadIdx.x * 4;
    const int row = place.row * P::kRows + y, column = place.column * P::kColumns + x;
    if (!m.contains(row, column)) return;
    constexpr int kTile = P::kRows * P::kColumns;
    const float* const from = partial + std::int64_t{blockIdx.x} * split.splits * kTile + y * P::kColumns + x;
    float sum[4] = {};
#pragma unroll 8
    for (int share = 0; share < split.splits; ++share) {
        float more[4];
        spread(*reinterpret_cast<const float4*>(from + std::int64_t{share} * kTile), more);
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[i] += more[i];
    }
    m = m.ofLayer(layer);
    m.storeFour(row, column, sum, m.wideStores());
}

inline ProductSize sizeOf(const Multiplication& m) { return {m.rows, m.inner, m.columns, m.layers}; }

/// Left factors are turned, some layers together, and the room for that is used again.
template <int kHigh>
void launchSoftware(LaunchContext& c, const Multiplication& m, int splits) {
    using P = SoftwarePolicy<kHigh>;
    const TurnedShape shape = turnedShape(m, P::kRows);
    const int together = layersTogether(sizeOf(m), P::kRows);
    const std::int64_t turnedLayer = m.a.layer == 0 ? 0 : static_cast<std::int64_t>(shape.floats());
    auto* const turned = static_cast<float*>(c.address(m.scratch));
    float* const partial = turned + shape.floats() * static_cast<std::size_t>(together);
    for (int layer = 0; layer < m.layers; layer += together) {
        const int layers = std::min(together, m.layers - layer);
        if (layer == 0 || m.a.layer != 0) {
            const unsigned turns = m.a.layer == 0 ? 1 : static_cast<unsigned>(layers);
            dispatch(c, m, [&]<class T>(Matrices<T> of) {
                of.a += layer * m.a.layer;
                launch(c, &turnLeft<T>, dim3(ceilDiv(shape.rows, 32), ceilDiv(shape.terms, 32), turns), dim3(32, 8), 0,
                       of, turned, shape);
            });
        }
        const Matrices<float> of = matricesOf<float>(c, m).ofLayer(layer);
        const SplitPlan plan = splitPlan({m.rows, m.inner, m.columns, layers}, P::kRows, splits);
        dim3 grid = gridOf(m, P::kColumns, P::kRows);
        grid.z = static_cast<unsigned>(layers);
        const SplitGrid split{static_cast<int>(grid.x), static_cast<int>(grid.y), static_cast<int>(plan.whole),
                              plan.splits, plan.terms};
        const auto multiply = [&](auto kernel, dim3 blocks) {
            launch(c, kernel, blocks, dim3(P::kThreads), P::kBytes, of, static_cast<const float*>(turned), turnedLayer,
                   shape, split, partial);
        };
        if (plan.splits == 1) {
            multiply(&software_pipelined<kHigh, false>, grid);
        } else {
            multiply(&software_pipelined<kHigh, true>, dim3(static_cast<unsigned>(plan.blocks())));
            launch(c, &addPartial<kHigh>, dim3(static_cast<unsigned>(plan.tiles - plan.whole), P::kRows / 8),
                   dim3(P::kColumns / 4, 8), 0, of, static_cast<const float*>(partial), split);
        }
    }
}

inline void launchSoftwarePipelined(LaunchContext& c, const Multiplication& m, const TunableValues& t) {
    const int splits = t.at("splits");
    switch (t.at("outputs_per_thread")) {
        case 32: return launchSoftware<4>(c, m, splits);
        case 64: return launchSoftware<8>(c, m, splits);
        default: return launchSoftware<16>(c, m, splits);
    }
}

/// Of turned layers and of partial sums, those of the last layers too, which are planned for themselves.
inline std::size_t softwareFloats(const Multiplication& m, const TunableValues& t) {
    const int rows = t.at("outputs_per_thread");
    ProductSize size = sizeOf(m);
    const int together = layersTogether(size, rows), last = m.layers % together;
    std::int64_t partial = 0;
    for (const int layers : {together, last > 0 ? last : together}) {
        size.layers = layers;
        partial = std::max(partial, splitPlan(size, rows, t.at("splits")).floats(rows));
    }
    return turnedShape(m, rows).floats() * static_cast<std::size_t>(together) + static_cast<std::size_t>(partial);
}

inline Footprint softwareFootprint(const Case&, const TunableValues& t) {
    return tileFootprint(128, SplitTile::kColumns, t.at("outputs_per_thread"), SplitTile::kDeep);
}

inline std::size_t softwareBytes(const Case&, const TunableValues& t) {
    switch (t.at("outputs_per_thread")) {
        case 32: return SoftwarePolicy<4>::kBytes;
        case 64: return SoftwarePolicy<8>::kBytes;
        default: return SoftwarePolicy<16>::kBytes;
    }
}

KernelEntry software_pipelined_entry() {
    return {.multiply = &launchSoftwarePipelined,
            .footprint = &softwareFootprint,
            .multiplyScratch = &softwareFloats,
            .sharedBytes = &softwareBytes,
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&software_pipelined<16, false>); }}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
