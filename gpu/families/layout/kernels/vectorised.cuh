// SPDX-License-Identifier: Apache-2.0
// Idea: a thread loads 16 bytes of each of four rows, turns them in registers by the byte and stores four rows of 16.
// Changed from swizzled: 64 bytes per thread, all asked for at once; a row of a tile is a line or two, not 32 values.
// Needs: a quarter turn. Where rows start between two packs, tiles overlap by a pack so that every store is whole.
// Block: 4 n^2 / bytes of a value threads, n = tile_bytes / 16 packs a row; the tile in shared memory.
// Source: tiles 64 wide with float4, as in yencal's gpu-matrix-transpose; bytes and odd extents are our own.
// Look at: 16 sectors per request both ways, one wavefront for 128 bytes of shared memory.
#pragma once

#include "gpu/families/layout/launching.cuh"
#include "gpu/kernels/packs.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

/// What four rows hold of one column: 4, 8 or 16 bytes.
template <class T>
struct Column;
template <>
struct Column<std::uint8_t> {
    using Word = unsigned;
};
template <>
struct Column<std::uint16_t> {
    using Word = float2;
};
template <>
struct Column<float> {
    using Word = float4;
};

/// Stores four packs of a row each as columns: column i goes to at(i).
template <class At>
__device__ void storeColumns(const Pack<float> (&row)[4], At at) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
        storePack(at(i), Pack<float>{{row[0].word[i], row[1].word[i], row[2].word[i], row[3].word[i]}});
}

template <class At>
__device__ void storeColumns(const Pack<std::uint16_t> (&row)[4], At at) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const unsigned selector = i % 2 == 0 ? 0x5410 : 0x7632;
        const unsigned words[2] = {permuted(row[0].word[i / 2], row[1].word[i / 2], selector),
                                   permuted(row[2].word[i / 2], row[3].word[i / 2], selector)};
        float2 column;
        memcpy(static_cast<void*>(&column), words, sizeof column);
        *reinterpret_cast<float2*>(at(i)) = column;
    }
}

template <class At>
__device__ void storeColumns(const Pack<std::uint8_t> (&row)[4], At at) {
#pragma unroll
    for (int w = 0; w < 4; ++w) {
        // Bytes of rows 0 and 1, and of rows 2 and 3, column by column: two words for columns 0 and 1, two for 2 and 3.
        const unsigned low01 = permuted(row[0].word[w], row[1].word[w], 0x5140);
        const unsigned low23 = permuted(row[2].word[w], row[3].word[w], 0x5140);
        const unsigned high01 = permuted(row[0].word[w], row[1].word[w], 0x7362);
        const unsigned high23 = permuted(row[2].word[w], row[3].word[w], 0x7362);
        *reinterpret_cast<unsigned*>(at(4 * w)) = permuted(low01, low23, 0x5410);
        *reinterpret_cast<unsigned*>(at(4 * w + 1)) = permuted(low01, low23, 0x7632);
        *reinterpret_cast<unsigned*>(at(4 * w + 2)) = permuted(high01, high23, 0x5410);
        *reinterpret_cast<unsigned*>(at(4 * w + 3)) = permuted(high01, high23, 0x7632);
    }
}

/// Values from column x on of four rows, the first of which is y; zeros for those that there are not. All loads are
/// asked for before the first is needed.
template <bool aligned, class T>
__device__ void loadRows(const Matrices<T>& m, int x, int y, Pack<T> (&row)[4]) {
    constexpr int kValues = Pack<T>::kValues;
    const Move& move = m.move;
    if (x >= move.columns) return;
    const T* const in = m.source(blockIdx.z) + x;
    const auto there = [&](int k) { return y + k >= 0 && y + k < move.rows; };
    const auto rowOf = [&](int k) { return in + (y + k) * move.inRow; };
    if (aligned) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            if (there(k)) row[k] = loadPack<T>(rowOf(k));
        return;
    }
    const auto packOf = [&](int k) { return reinterpret_cast<const char*>(rowOf(k)) - beyondPack(rowOf(k)); };
    const auto whole = [&](int k) {
        return x + kValues <= move.columns && packOf(k) + 32 <= reinterpret_cast<const char*>(m.end);
    };
    Pack<T> second[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (!there(k) || !whole(k)) continue;
        row[k] = loadPack<T>(packOf(k));
        second[k] = loadPack<T>(packOf(k) + 16);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (!there(k)) continue;
        row[k] = whole(k) ? joined(row[k], second[k], beyondPack(rowOf(k)))
                          : loadSome(rowOf(k), [&](int i) { return x + i < move.columns; });
    }
}

/// A tile of side x side values has `across` packs a row, 8 or 16; column x of the input is a row of it, and its pack p
/// lies at p XOR (x / values a pack), so that both ways meet all banks.
template <class T, bool aligned>
__global__ __launch_bounds__(1024) void vectorised(Matrices<T> m, int across) {
    constexpr int kValues = Pack<T>::kValues;
    constexpr int kFours = kValues / 4;  // of rows that a pack of a column holds
    char* const tile = reinterpret_cast<char*>(dynamicShared);
    const Move& move = m.move;
    const int side = across * kValues;
    // A warp has 8 packs of a row, one line of memory, and 4 such rows.
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int pack = lane % 8 + 8 * (warp % (across / 8)), line = lane / 8 + 4 * (warp / (across / 8));
    // Blocks that run together lie one below the other: what they store is long runs of few rows, which costs DRAM more
    // than loads do.
    const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    const int left = static_cast<int>(block / gridDim.y) * side, down = static_cast<int>(block % gridDim.y);
    const int top = aligned ? down * side : down * (side - kValues) - kValues;

    const int x = left + pack * kValues;
    Pack<T> row[4] = {};
    loadRows<aligned>(m, x, top + 4 * line, row);
    storeColumns(row, [&](int i) {
        const int at = (pack * kValues + i) * across + (line / kFours ^ pack);
        return tile + 16 * at + line % kFours * sizeof(typename Column<T>::Word);
    });
    __syncthreads();

    T* const out = m.target(blockIdx.z);
    for (int k = 0; k < 4; ++k) {
        const int column = line + k * side / 4, swizzle = column / kValues;
        if (left + column >= move.columns) continue;
        const char* const packs = tile + 16 * column * across;
        T* const to = out + (left + column) * move.outRow;
        const Pack<T> first = loadPack<T>(packs + 16 * (pack ^ swizzle));
        if (aligned) {
            if (top + pack * kValues < move.rows) storePack(to + top + pack * kValues, first);
            continue;
        }
        if (pack == across - 1) continue;
        // The pack that begins at a multiple of 16 after this one's first value, and ends in the next.
        const unsigned beyond = beyondPack(to + top);
        const int y = top + (pack + 1) * kValues - static_cast<int>(beyond / sizeof(T));
        const Pack<T> second = loadPack<T>(packs + 16 * ((pack + 1) ^ swizzle));
        const Pack<T> whole = beyond == 0 ? second : joined(first, second, 16 - beyond);
        if (y >= 0 && y + kValues <= move.rows)
            storePack(to + y, whole);
        else
            storeSome(to + y, whole, [&](int i) { return y + i >= 0 && y + i < move.rows; });
    }
}

inline std::size_t vectorisedSharedBytes(const Case& of, const TunableValues& t) {
    const auto bytes = static_cast<std::size_t>(t.at("tile_bytes"));
    return bytes * bytes / io::sizeOf(of.type);
}

/// Values of a tile along the input's rows, and how many rows further the next tile begins.
inline std::array<int, 2> vectorisedTile(const Case& of, const TunableValues& t) {
    const int side = t.at("tile_bytes") / static_cast<int>(io::sizeOf(of.type));
    return {side, of.aligned() ? side : side - of.valuesAPack()};
}

inline int vectorisedThreads(const Case& of, const TunableValues& t) {
    const auto [side, next] = vectorisedTile(of, t);
    return t.at("tile_bytes") / 16 * side / 4;
}

inline void launchVectorised(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchMove(c, a, [&]<class T>(const Matrices<T>& m) {
        const auto [side, next] = vectorisedTile(a, t);
        // Where tiles overlap, the rows are shifted by up to a pack.
        const int rows = a.aligned() ? a.move.rows : a.move.rows + Pack<T>::kValues;
        const dim3 grid = gridOf(a.move.columns, rows, side, next, a.move);
        const dim3 block(static_cast<unsigned>(vectorisedThreads(a, t)));
        const auto kernel = a.aligned() ? &vectorised<T, true> : &vectorised<T, false>;
        launch(c, kernel, grid, block, vectorisedSharedBytes(a, t), m, t.at("tile_bytes") / 16);
    });
}

inline Footprint vectorisedFootprint(const Case& of, const TunableValues& t) {
    const auto [side, next] = vectorisedTile(of, t);
    return {.blockWidth = vectorisedThreads(of, t),
            .blockHeight = 1,
            .tileWidth = next,
            .tileHeight = side,
            .stagedLeft = side - next,
            .staged = true};
}

KernelEntry vectorised_entry() {
    return {.launch = &launchVectorised,
            .footprint = &vectorisedFootprint,
            .sharedBytes = &vectorisedSharedBytes,
            .refusal = &turnsOnly};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
