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

/// A byte of four as a float: the digits of 2^23 + byte, less 2^23.
template <unsigned kByte>
__device__ float byteOf(unsigned four) {
    const unsigned bits = __byte_perm(four, 0x4b000000U, 0x7440U | kByte);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value - 8388608.0F;
}

/// The value in the tables of the four tiles around it, the nearer the more; rounded to nearest, halves to even, by
/// adding 2^23. It lies between the four, so that it is a byte.
__device__ inline unsigned blended(unsigned four, float right, float bottom) {
    const float left = 1.0F - right, top = 1.0F - bottom;
    const float above = times(byteOf<0>(four), left) + times(byteOf<1>(four), right);
    const float below = times(byteOf<2>(four), left) + times(byteOf<3>(four), right);
    const float sum = times(above, top) + times(below, bottom) + 8388608.0F;
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits & 255U;
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

/// A block blends its pixels region by region: of most blocks there is one.
template <class T>
__global__ void __launch_bounds__(ByteTablesPolicy::kThreads, ByteTablesPolicy::kBlocks)
    blend_bytes(const T* in, const T* tables, T* out, Bins b) {
    __shared__ unsigned corners[ByteTablesPolicy::kBins];
    constexpr int kWarps = ByteTablesPolicy::kThreads / 32, kAhead = ByteTablesPolicy::kAhead;
    const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
    const int left = static_cast<int>(blockIdx.x * ByteTablesPolicy::kColumns), x = left + lane * 4;
    const int top = static_cast<int>(blockIdx.y) * ByteTablesPolicy::kRows;
    const int end = top + ByteTablesPolicy::kRows < b.height ? top + ByteTablesPolicy::kRows : b.height;
    const int right = left + static_cast<int>(ByteTablesPolicy::kColumns) < b.width
                          ? left + static_cast<int>(ByteTablesPolicy::kColumns)
                          : b.width;
    const bool words = b.width % 4 == 0;
    in += Wide{blockIdx.z} * b.width * b.height;
    out += Wide{blockIdx.z} * b.width * b.height;
    int tiles[4];
    float beyond[4];
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        const Between between(x + v, b.tileWidth);
        tiles[v] = between.tile;
        beyond[v] = between.beyond;
    }
    const int lastColumn = Between(right - 1, b.tileWidth).tile, lastRow = Between(end - 1, b.tileHeight).tile;
    for (int row = Between(top, b.tileHeight).tile; row <= lastRow; ++row)
        for (int column = Between(left, b.tileWidth).tile; column <= lastColumn; ++column) {
            __syncthreads();  // the last corners are done with
            gatherCorners(tables, b, column, row, corners);
            __syncthreads();
            const bool whole = words && x < right && tiles[0] == column && tiles[3] == column;
            for (int first = top + warp; first < end; first += kWarps * kAhead) {
                unsigned four[kAhead] = {};
#pragma unroll
                for (int u = 0; u < kAhead; ++u) {
                    const int y = first + u * kWarps;
                    if (y < end && whole) four[u] = *reinterpret_cast<const unsigned*>(in + Wide(y) * b.width + x);
                }
#pragma unroll
                for (int u = 0; u < kAhead; ++u) {
                    const int y = first + u * kWarps;
                    if (y >= end) continue;
                    const Between between(y, b.tileHeight);
                    if (between.tile != row) continue;
                    const Wide at = Wide(y) * b.width + x;
                    unsigned made = 0;
#pragma unroll
                    for (int v = 0; v < 4; ++v) {
                        if (whole) {
                            const unsigned value = four[u] >> (8 * v) & 255U;
                            made |= blended(corners[value], beyond[v], between.beyond) << (8 * v);
                        } else if (x + v < right && tiles[v] == column) {
                            out[at + v] = static_cast<T>(blended(corners[in[at + v]], beyond[v], between.beyond));
                        }
                    }
                    if (whole) *reinterpret_cast<unsigned*>(out + at) = made;
                }
            }
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
