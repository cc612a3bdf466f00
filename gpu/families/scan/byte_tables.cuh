// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes through tables in shared memory: one table a slice, or the four around a pixel, blended. Part of steps.cuh,
// whose roundings it keeps.

#include "gpu/families/scan/launching.cuh"
#include "gpu/kernels/load_once.cuh"

#include <cmath>
#include <cstring>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// Rounds before anything is added: no compiler joins it with a sum into one operation.
__device__ inline float times(float a, float b) {
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#elif defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
    return __builtin_assoc_barrier(a * b);
#else
    const float product = a * b;  // clang joins within an expression only
    return product;
#endif
}

/// Where a place lies between the middles of tiles: the tile before it, -1 before the first, and how far beyond.
struct Between {
    int tile;
    float beyond;

    __device__ Between(int place, int extent) {
        const float at = times(static_cast<float>(place), 1.0F / static_cast<float>(extent)) - 0.5F;
        tile = static_cast<int>(floorf(at));
        beyond = at - static_cast<float>(tile);
    }
};

struct ByteTablesPolicy {
    static constexpr unsigned kThreads = 256, kBins = 256, kBlocks = 4;
    static constexpr unsigned kPacks = 8;      ///< of 16 bytes a thread, looked up one after another
    static constexpr unsigned kColumns = 128;  ///< that a block blends: four a lane
    static constexpr int kRows = 256;          ///< that it blends, a warp every eighth
    static constexpr int kAhead = 4;           ///< of them, under way
    static constexpr int kLeastTile = 32;      ///< along each side; smaller ones would not pay for their tables
};

/// A slice's bytes through its table.
template <class T>
__global__ void look_up_bytes(const T* in, const T* tables, T* out, Wide pixels) {
    __shared__ T table[ByteTablesPolicy::kBins];
    if (threadIdx.x < ByteTablesPolicy::kBins)
        table[threadIdx.x] = tables[blockIdx.y * ByteTablesPolicy::kBins + threadIdx.x];
    __syncthreads();
    in += blockIdx.y * pixels;
    out += blockIdx.y * pixels;
    const Wide odd = (16 - reinterpret_cast<std::uintptr_t>(in) % 16) % 16, head = odd < pixels ? odd : pixels;
    const Wide packs = (pixels - head) / 16, tail = head + packs * 16;
    const Wide first = Wide{blockIdx.x} * blockDim.x * ByteTablesPolicy::kPacks + threadIdx.x;
    const auto* const from = reinterpret_cast<const Pack<T>*>(in + head);
    auto* const to = reinterpret_cast<float4*>(out + head);
    Pack<T> pack[ByteTablesPolicy::kPacks] = {};
#pragma unroll
    for (unsigned u = 0; u < ByteTablesPolicy::kPacks; ++u)
        if (first + u * ByteTablesPolicy::kThreads < packs)
            pack[u] = loadOnce(from + first + u * ByteTablesPolicy::kThreads);
#pragma unroll
    for (unsigned u = 0; u < ByteTablesPolicy::kPacks; ++u) {
        const Wide at = first + u * ByteTablesPolicy::kThreads;
        if (at >= packs) continue;
        unsigned words[4];
#pragma unroll
        for (int w = 0; w < 4; ++w)
            words[w] = table[pack[u][4 * w]] | unsigned{table[pack[u][4 * w + 1]]} << 8 |
                       unsigned{table[pack[u][4 * w + 2]]} << 16 | unsigned{table[pack[u][4 * w + 3]]} << 24;
        float bits[4];
        memcpy(bits, &words, sizeof bits);
        to[at] = make_float4(bits[0], bits[1], bits[2], bits[3]);
    }
    if (blockIdx.x > 0) return;
    if (threadIdx.x < head) out[threadIdx.x] = table[in[threadIdx.x]];
    if (threadIdx.x < pixels - tail) out[tail + threadIdx.x] = table[in[tail + threadIdx.x]];
}

/// Of a pixel along one axis: what the tiles before and behind it weigh, and these times -2^23.
struct Weights {
    float before, behind, lessBefore, lessBehind;

    explicit __device__ Weights(float beyond)
        : before(1.0F - beyond), behind(beyond), lessBefore(-8388608.0F * before), lessBehind(-8388608.0F * behind) {}
};

/// A byte of four times a weight, `less` being the weight times -2^23: the digits of 2^23 + byte times the weight, less
/// 2^23 times it, is the product, and rounded once.
template <unsigned kByte>
__device__ float weighed(unsigned four, float weight, float less) {
    const unsigned bits = __byte_perm(four, 0x4b000000U, 0x7440U | kByte);
    float value;
    memcpy(&value, &bits, sizeof value);
#ifdef __CUDA_ARCH__
    return __fmaf_rn(value, weight, less);
#else
    (void)less;
    return times(value - 8388608.0F, weight);
#endif
}

/// The value in the tables of the four tiles around it, the nearer the more; rounded to nearest, halves to even, by
/// adding 2^23. It lies between the four, so that it is a byte: the last of the four that are returned.
__device__ inline unsigned blended(unsigned four, const Weights& x, float top, float bottom) {
    const float above = weighed<0>(four, x.before, x.lessBefore) + weighed<1>(four, x.behind, x.lessBehind);
    const float below = weighed<2>(four, x.before, x.lessBefore) + weighed<3>(four, x.behind, x.lessBehind);
    const float sum = times(above, top) + times(below, bottom) + 8388608.0F;
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

/// The tables of the tiles around a region between middles, the same value of all four in a word.
__device__ inline void gatherCorners(const std::uint8_t* tables, const Bins& b, int column, int row,
                                     unsigned (&corners)[ByteTablesPolicy::kBins]) {
    const int x1 = column < 0 ? 0 : column, x2 = column + 1 < b.tilesX ? column + 1 : b.tilesX - 1;
    const int y1 = row < 0 ? 0 : row, y2 = row + 1 < b.tilesY ? row + 1 : b.tilesY - 1;
    const auto table = [&](int x, int y) {
        return unsigned{tables[(Wide{blockIdx.z} * b.tilesX * b.tilesY + y * b.tilesX + x) * ByteTablesPolicy::kBins +
                               threadIdx.x]};
    };
    if (threadIdx.x < ByteTablesPolicy::kBins)
        corners[threadIdx.x] = table(x1, y1) | table(x2, y1) << 8 | table(x1, y2) << 16 | table(x2, y2) << 24;
}

/// The part of a picture that a block blends, and where its rows lie between the middles of tiles.
struct BlendedPart {
    int left, top, right = 0, end = 0;
    int row = 0, column = 0;  ///< of the region that is at hand
    const unsigned* corners;
    const float* beyond;
    const int* tiles;
};

/// Four pixels at once, of lanes all of whose columns are of the region.
template <class T>
__device__ void blendWords(const T* in, T* out, const Bins& b, const BlendedPart& part, int x,
                           const Weights (&weights)[4]) {
    constexpr int kWarps = ByteTablesPolicy::kThreads / 32, kAhead = ByteTablesPolicy::kAhead;
    for (int first = part.top + static_cast<int>(threadIdx.x / 32); first < part.end; first += kWarps * kAhead) {
        unsigned four[kAhead];
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = first + u * kWarps;
            four[u] = y < part.end ? *reinterpret_cast<const unsigned*>(in + Wide(y) * b.width + x) : 0;
        }
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = first + u * kWarps;
            if (y >= part.end || part.tiles[y - part.top] != part.row) continue;
            const float bottom = part.beyond[y - part.top], top = 1.0F - bottom;
            unsigned made[4];
#pragma unroll
            for (unsigned v = 0; v < 4; ++v)
                made[v] = blended(part.corners[__byte_perm(four[u], 0U, 0x4440U | v)], weights[v], top, bottom);
            *reinterpret_cast<unsigned*>(out + Wide(y) * b.width + x) =
                __byte_perm(__byte_perm(made[0], made[1], 0x0040U), __byte_perm(made[2], made[3], 0x0040U), 0x5410U);
        }
    }
}

/// One pixel after another, of lanes at a region's edges, and where rows do not begin at multiples of four.
template <class T>
__device__ void blendPixels(const T* in, T* out, const Bins& b, const BlendedPart& part, int x,
                            const Weights (&weights)[4], const int (&tiles)[4]) {
    constexpr int kWarps = ByteTablesPolicy::kThreads / 32;
    for (int y = part.top + static_cast<int>(threadIdx.x / 32); y < part.end; y += kWarps) {
        if (part.tiles[y - part.top] != part.row) continue;
        const float bottom = part.beyond[y - part.top], top = 1.0F - bottom;
        const Wide at = Wide(y) * b.width + x;
#pragma unroll
        for (int v = 0; v < 4; ++v)
            if (x + v < part.right && tiles[v] == part.column)
                out[at + v] = static_cast<T>(blended(part.corners[in[at + v]], weights[v], top, bottom) & 255U);
    }
}

/// A block blends its pixels region by region: of most blocks there is one.
template <class T>
__global__ void __launch_bounds__(ByteTablesPolicy::kThreads, ByteTablesPolicy::kBlocks)
    blend_bytes(const T* in, const T* tables, T* out, Bins b) {
    constexpr int kColumns = static_cast<int>(ByteTablesPolicy::kColumns), kRows = ByteTablesPolicy::kRows;
    __shared__ unsigned corners[ByteTablesPolicy::kBins];
    __shared__ float beyond[kRows];
    __shared__ int tiles[kRows];
    BlendedPart part{.left = static_cast<int>(blockIdx.x) * kColumns,
                     .top = static_cast<int>(blockIdx.y) * kRows,
                     .corners = corners,
                     .beyond = beyond,
                     .tiles = tiles};
    part.right = part.left + kColumns < b.width ? part.left + kColumns : b.width;
    part.end = part.top + kRows < b.height ? part.top + kRows : b.height;
    in += Wide{blockIdx.z} * b.width * b.height;
    out += Wide{blockIdx.z} * b.width * b.height;
    for (int i = static_cast<int>(threadIdx.x); i < kRows; i += static_cast<int>(blockDim.x)) {
        const Between y(part.top + i, b.tileHeight);
        tiles[i] = y.tile;
        beyond[i] = y.beyond;
    }
    const int x = part.left + static_cast<int>(threadIdx.x % 32) * 4;
    const Between columns[4] = {Between(x, b.tileWidth), Between(x + 1, b.tileWidth), Between(x + 2, b.tileWidth),
                                Between(x + 3, b.tileWidth)};
    const Weights weights[4] = {Weights(columns[0].beyond), Weights(columns[1].beyond), Weights(columns[2].beyond),
                                Weights(columns[3].beyond)};
    const int ofColumns[4] = {columns[0].tile, columns[1].tile, columns[2].tile, columns[3].tile};
    const int lastColumn = Between(part.right - 1, b.tileWidth).tile;
    const int lastRow = Between(part.end - 1, b.tileHeight).tile;
    for (part.row = Between(part.top, b.tileHeight).tile; part.row <= lastRow; ++part.row)
        for (part.column = Between(part.left, b.tileWidth).tile; part.column <= lastColumn; ++part.column) {
            __syncthreads();  // the last corners are done with
            gatherCorners(tables, b, part.column, part.row, corners);
            __syncthreads();
            const bool some = x < part.right && ofColumns[0] <= part.column && ofColumns[3] >= part.column;
            const bool whole = b.width % 4 == 0 && ofColumns[0] == ofColumns[3];
            if (some && whole) blendWords(in, out, b, part, x, weights);
            if (some && !whole) blendPixels(in, out, b, part, x, weights, ofColumns);
        }
}

inline void launchByteTables(LaunchContext& c, const Bins& b) {
    using T = std::uint8_t;
    constexpr unsigned kThreads = ByteTablesPolicy::kThreads;
    const auto* const in = static_cast<const T*>(c.address(b.input));
    const auto* const tables = static_cast<const T*>(c.address(b.tables));
    auto* const out = static_cast<T*>(c.address(b.output));
    const auto slices = static_cast<unsigned>(b.slices);
    if (b.local) {
        const dim3 grid(ceilDiv(b.width, ByteTablesPolicy::kColumns), ceilDiv(b.height, ByteTablesPolicy::kRows),
                        slices);
        return launch(c, &blend_bytes<T>, grid, dim3(kThreads), 0, in, tables, out, b);
    }
    constexpr unsigned kPerBlock = 16 * kThreads * ByteTablesPolicy::kPacks;
    const Wide pixels = static_cast<Wide>(b.width) * static_cast<Wide>(b.height);
    launch(c, &look_up_bytes<T>, dim3(static_cast<unsigned>((pixels + kPerBlock - 1) / kPerBlock), slices),
           dim3(kThreads), 0, in, tables, out, pixels);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
