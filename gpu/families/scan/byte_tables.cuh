// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes through tables in shared memory: one table a slice, or the four around a pixel, blended. Part of steps.cuh,
// whose roundings it keeps.

#include "gpu/families/scan/launching.cuh"
#include "gpu/kernels/load_once.cuh"

#include <cmath>
#include <cstring>
#include <type_traits>

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
    static constexpr unsigned kPacks = 8;    ///< of 16 bytes a thread, looked up one after another
    static constexpr int kRows = 256;        ///< that a block blends at most, a warp every eighth
    static constexpr int kFewestRows = 32;   ///< of small pictures, so that there are more blocks
    static constexpr unsigned kFill = 1024;  ///< blocks that fill a GPU
    static constexpr int kAhead = 4;         ///< of them, under way
    static constexpr int kLeastTile = 32;    ///< along each side; smaller ones would not pay for their tables
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

/// A row between tiles: what the tables above and below it weigh, in units, and these times -2^23.
struct RowWeights {
    float top, lessTop, bottom, lessBottom;

    __device__ static float4 of(float beyond, float unit) {
        const float upper = (1.0F - beyond) * unit, lower = beyond * unit;
        return make_float4(upper, -8388608.0F * upper, lower, -8388608.0F * lower);
    }
    explicit __device__ RowWeights(const float4& row) : top(row.x), lessTop(row.y), bottom(row.z), lessBottom(row.w) {}
};

/// 2^23 and a whole number in its digits, times a weight, less 2^23 times it: the product, rounded once.
__device__ inline float weighed(unsigned bits, float weight, float less) {
    float value;
    memcpy(&value, &bits, sizeof value);
#ifdef __CUDA_ARCH__
    return __fmaf_rn(value, weight, less);
#else
    (void)less;
    return times(value - 8388608.0F, weight);
#endif
}

/// A pixel between tiles of any width: what the tables before and behind it weigh, and these times -2^23.
struct Weights {
    static constexpr float kUnit = 1;  ///< of a row's weights
    static constexpr int kWords = 1;   ///< of four columns that a lane takes
    float before, behind, lessBefore, lessBehind;

    Weights() = default;
    explicit __device__ Weights(float beyond)
        : before(1.0F - beyond), behind(beyond), lessBefore(-8388608.0F * before), lessBehind(-8388608.0F * behind) {}

    /// The bytes of four, each times what it weighs.
    __device__ float blended(unsigned four, const RowWeights& y) const {
        const auto digits = [four](unsigned byte) { return __byte_perm(four, 0x4b000000U, 0x7440U | byte); };
        const float above = weighed(digits(0), before, lessBefore) + weighed(digits(1), behind, lessBehind);
        const float below = weighed(digits(2), before, lessBefore) + weighed(digits(3), behind, lessBehind);
        return times(above, y.top) + times(below, y.bottom);
    }
};

/// The same of tiles whose width is a power of two: weights are whole multiples of 2^-15, halves of a word, and a sum
/// of two bytes times theirs is exact, as it is when each product is rounded. Two operations in place of eight.
struct HalfWeights {
    static constexpr float kUnit = 1.0F / 32768;
    static constexpr int kWords = 2, kWidest = 32768;
    unsigned both;

    HalfWeights() = default;
    explicit __device__ HalfWeights(float beyond) {
        const auto behind = static_cast<unsigned>(beyond * 32768.0F);
        both = behind << 16 | (32768U - behind);
    }
    /// In the digits of 2^23.
    template <bool kBelow>
    __device__ unsigned summed(unsigned four) const {
#ifdef __CUDA_ARCH__
        unsigned bits;
        if constexpr (kBelow)
            asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(bits) : "r"(both), "r"(four), "r"(0x4b000000U));
        else
            asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(bits) : "r"(both), "r"(four), "r"(0x4b000000U));
        return bits;
#else
        const unsigned two = kBelow ? four >> 16 : four;
        return 0x4b000000U + (both & 0xffffU) * (two & 255U) + (both >> 16) * (two >> 8 & 255U);
#endif
    }
    __device__ float blended(unsigned four, const RowWeights& y) const {
        return weighed(summed<false>(four), y.top, y.lessTop) + weighed(summed<true>(four), y.bottom, y.lessBottom);
    }
};

/// The value in the tables of the four tiles around it, the nearer the more; rounded to nearest, halves to even, by
/// adding 2^23. It lies between the four, so that it is a byte: the last of the four that are returned.
template <class Across>
__device__ unsigned blended(unsigned four, const Across& x, const RowWeights& y) {
    const float sum = x.blended(four, y) + 8388608.0F;
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
    const float4* rows;  ///< RowWeights
    const int* tiles;
};

/// Columns that a lane takes.
template <class Across>
constexpr int kOfLane = 4 * Across::kWords;

/// Four pixels of a word through the corners.
template <class Across>
__device__ unsigned blendWord(unsigned four, const unsigned* corners, const Across* weights, const RowWeights& row) {
    unsigned made[4];
#pragma unroll
    for (unsigned v = 0; v < 4; ++v) made[v] = blended(corners[__byte_perm(four, 0U, 0x4440U | v)], weights[v], row);
    return __byte_perm(__byte_perm(made[0], made[1], 0x0040U), __byte_perm(made[2], made[3], 0x0040U), 0x5410U);
}

/// All of a lane's pixels of a row at once, of lanes all of whose columns are of the region.
template <class Across, class T>
__device__ void blendWords(const T* in, T* out, const Bins& b, const BlendedPart& part, int x,
                           const Across (&weights)[kOfLane<Across>]) {
    using Words = std::conditional_t<Across::kWords == 1, unsigned, Wide>;
    constexpr int kWarps = ByteTablesPolicy::kThreads / 32, kAhead = ByteTablesPolicy::kAhead;
    for (int first = part.top + static_cast<int>(threadIdx.x / 32); first < part.end; first += kWarps * kAhead) {
        Words words[kAhead];
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = first + u * kWarps;
            words[u] = y < part.end ? *reinterpret_cast<const Words*>(in + Wide(y) * b.width + x) : 0;
        }
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = first + u * kWarps;
            if (y >= part.end || part.tiles[y - part.top] != part.row) continue;
            const RowWeights row(part.rows[y - part.top]);
            Words made = 0;
#pragma unroll
            for (int w = 0; w < Across::kWords; ++w)
                made |= Words{blendWord(static_cast<unsigned>(words[u] >> 32 * w), part.corners, weights + 4 * w, row)}
                        << 32 * w;
            *reinterpret_cast<Words*>(out + Wide(y) * b.width + x) = made;
        }
    }
}

/// One pixel after another, of lanes at a region's edges, and where rows do not begin where words do.
template <class Across, class T>
__device__ void blendPixels(const T* in, T* out, const Bins& b, const BlendedPart& part, int x,
                            const Across (&weights)[kOfLane<Across>], const int (&tiles)[kOfLane<Across>]) {
    constexpr int kWarps = ByteTablesPolicy::kThreads / 32;
    for (int y = part.top + static_cast<int>(threadIdx.x / 32); y < part.end; y += kWarps) {
        if (part.tiles[y - part.top] != part.row) continue;
        const RowWeights row(part.rows[y - part.top]);
        const Wide at = Wide(y) * b.width + x;
#pragma unroll
        for (int v = 0; v < kOfLane<Across>; ++v)
            if (x + v < part.right && tiles[v] == part.column)
                out[at + v] = static_cast<T>(blended(part.corners[in[at + v]], weights[v], row) & 255U);
    }
}

/// A block blends its pixels region by region: of most blocks there is one.
template <class Across, class T>
__global__ void __launch_bounds__(ByteTablesPolicy::kThreads, ByteTablesPolicy::kBlocks)
    blend_bytes(const T* in, const T* tables, T* out, Bins b, int most) {
    constexpr int kLane = kOfLane<Across>, kColumns = 32 * kLane;
    __shared__ unsigned corners[ByteTablesPolicy::kBins];
    alignas(16) __shared__ float weightsOfRows[4 * ByteTablesPolicy::kRows];  // a float4 has a constructor on the host
    auto* const rows = reinterpret_cast<float4*>(weightsOfRows);
    __shared__ int tiles[ByteTablesPolicy::kRows];
    BlendedPart part{.left = static_cast<int>(blockIdx.x) * kColumns,
                     .top = static_cast<int>(blockIdx.y) * most,
                     .corners = corners,
                     .rows = rows,
                     .tiles = tiles};
    part.right = part.left + kColumns < b.width ? part.left + kColumns : b.width;
    part.end = part.top + most < b.height ? part.top + most : b.height;
    in += Wide{blockIdx.z} * b.width * b.height;
    out += Wide{blockIdx.z} * b.width * b.height;
    for (int i = static_cast<int>(threadIdx.x); i < most; i += static_cast<int>(blockDim.x)) {
        const Between y(part.top + i, b.tileHeight);
        tiles[i] = y.tile;
        rows[i] = RowWeights::of(y.beyond, Across::kUnit);
    }
    const int x = part.left + static_cast<int>(threadIdx.x % 32) * kLane;
    Across weights[kLane];
    int ofColumns[kLane];
#pragma unroll
    for (int v = 0; v < kLane; ++v) {
        const Between column(x + v, b.tileWidth);
        weights[v] = Across(column.beyond);
        ofColumns[v] = column.tile;
    }
    const int lastColumn = Between(part.right - 1, b.tileWidth).tile;
    const int lastRow = Between(part.end - 1, b.tileHeight).tile;
    for (part.row = Between(part.top, b.tileHeight).tile; part.row <= lastRow; ++part.row)
        for (part.column = Between(part.left, b.tileWidth).tile; part.column <= lastColumn; ++part.column) {
            __syncthreads();  // the last corners are done with
            gatherCorners(tables, b, part.column, part.row, corners);
            __syncthreads();
            const bool some = x < part.right && ofColumns[0] <= part.column && ofColumns[kLane - 1] >= part.column;
            const bool whole = b.width % kLane == 0 && ofColumns[0] == ofColumns[kLane - 1];
            if (some && whole) blendWords(in, out, b, part, x, weights);
            if (some && !whole) blendPixels(in, out, b, part, x, weights, ofColumns);
        }
}

template <class Across, class T>
void launchBlending(LaunchContext& c, const T* in, const T* tables, T* out, const Bins& b) {
    const unsigned across = ceilDiv(b.width, 32 * kOfLane<Across>), slices = static_cast<unsigned>(b.slices);
    int rows = ByteTablesPolicy::kRows;
    while (rows > ByteTablesPolicy::kFewestRows && across * ceilDiv(b.height, rows) * slices < ByteTablesPolicy::kFill)
        rows /= 2;
    launch(c, &blend_bytes<Across, T>, dim3(across, ceilDiv(b.height, rows), slices), dim3(ByteTablesPolicy::kThreads),
           0, in, tables, out, b, rows);
}

inline void launchByteTables(LaunchContext& c, const Bins& b) {
    using T = std::uint8_t;
    constexpr unsigned kThreads = ByteTablesPolicy::kThreads;
    const auto* const in = static_cast<const T*>(c.address(b.input));
    const auto* const tables = static_cast<const T*>(c.address(b.tables));
    auto* const out = static_cast<T*>(c.address(b.output));
    const auto slices = static_cast<unsigned>(b.slices);
    if (b.local) {
        const bool power = (b.tileWidth & (b.tileWidth - 1)) == 0 && b.tileWidth <= HalfWeights::kWidest;
        const bool halves = power && b.width % kOfLane<HalfWeights> == 0;
        return halves ? launchBlending<HalfWeights>(c, in, tables, out, b)
                      : launchBlending<Weights>(c, in, tables, out, b);
    }
    constexpr unsigned kPerBlock = 16 * kThreads * ByteTablesPolicy::kPacks;
    const Wide pixels = static_cast<Wide>(b.width) * static_cast<Wide>(b.height);
    launch(c, &look_up_bytes<T>, dim3(static_cast<unsigned>((pixels + kPerBlock - 1) / kPerBlock), slices),
           dim3(kThreads), 0, in, tables, out, pixels);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
