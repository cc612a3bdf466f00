// SPDX-License-Identifier: Apache-2.0
// Idea: an integral picture in one kernel: a tile learns what lies left of its rows, then what lies above its columns.
// Changed from look_back_vectorised: look-back both ways; a value is read once and its sum written once, where rows and
// then columns move sums twice more.
// Needs: tiles numbered by a ticket, so that a block waits only for blocks that have begun; sums of 32 bits.
// Block: block_width threads; a tile of 128 columns, 16 rows (u8) or 8 per warp in registers, 129 sums per warp shared.
// Source: Kasagi, Nakano and Ito 2014 (1R1W); Merrill and Garland 2016; Emoto et al. 2018; re-derived.
// Look at: bytes, 5 a pixel of u8 and 8 of f32, and what tiles tell: a word for each of their rows and columns.
#pragma once

#include "gpu/families/scan/compaction.cuh"
#include "gpu/families/scan/fused_windows.cuh"
#include "gpu/families/scan/quads.cuh"
#include "gpu/families/scan/sliding.cuh"
#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct OnePassPolicy {
    static constexpr unsigned kMostThreads = 512, kBlocks = 2;
    static constexpr unsigned kColumns = 128;  ///< of a tile: four a lane
    static constexpr unsigned kAcross = 64;    ///< tiles of a strip; a strip is done before the next one is begun
    static constexpr unsigned kBatch = 1;      ///< tiles that a thread asks at once
};

/// Of a tile, so that its values fill about 32 registers at most.
template <class T>
constexpr unsigned kRowsOfWarp = sizeof(T) == 1 ? 16 : 8;

/// Tiles of all slices, those of a strip row after row: tiles that run together lie together, near in both ways.
struct IntegralTiles {
    unsigned width, height, rows;  ///< rows of a tile
    unsigned across, down;         ///< tiles of a slice

    /// What a tile says: a word a row and a word a column.
    __device__ Wide words() const { return rows + OnePassPolicy::kColumns; }
};

struct IntegralTile {
    unsigned slice, column, row;

    __device__ IntegralTile(unsigned number, const IntegralTiles& t) {
        const unsigned inSlice = t.across * t.down, inStrip = OnePassPolicy::kAcross * t.down;
        slice = number / inSlice;
        number -= slice * inSlice;
        const unsigned strip = number / inStrip, left = strip * OnePassPolicy::kAcross;
        number -= strip * inStrip;
        const unsigned across = t.across - left < OnePassPolicy::kAcross ? t.across - left : OnePassPolicy::kAcross;
        row = number / across;
        column = left + number % across;
    }
};

/// Adds up what tiles before this one said, the next `kBatch` of them, until one says a sum from the start: true then.
/// `first` is how many tiles the nearest of them is away; beyond the first tile of all there is nothing.
template <class Sum>
__device__ bool addBatch(unsigned scan, const Wide* own, Wide apart, unsigned first, unsigned tilesBefore, Sum& sum) {
    Wide said[OnePassPolicy::kBatch];
#pragma unroll
    for (unsigned k = 0; k < OnePassPolicy::kBatch; ++k)
        said[k] = first + k <= tilesBefore ? peek(own - (first + k) * apart) : stated(scan, kUpTo, Sum{0});
    bool ends = false;
#pragma unroll
    for (unsigned k = 0; k < OnePassPolicy::kBatch; ++k) {
        if (ends) continue;
        if (whatOf(scan, said[k]) == kNothing) said[k] = heard(scan, own - (first + k) * apart);
        sum = sumOf<Sum>(said[k]) + sum;
        ends = whatOf(scan, said[k]) == kUpTo;
    }
    return ends;
}

/// What lies left of a warp's rows, in lane r that of row r modulo kRows: groups of kRows lanes ask a batch each.
template <unsigned kRows, class Sum>
__device__ Sum leftOf(unsigned scan, const Wide* own, Wide apart, unsigned tilesBefore) {
    constexpr unsigned kBatch = OnePassPolicy::kBatch, kGroups = 32 / kRows;
    const unsigned lane = threadIdx.x % 32, row = lane % kRows, group = lane / kRows;
    Sum before = 0;
    bool done = false;
    for (unsigned from = 1;; from += kGroups * kBatch) {
        Sum sum = 0;
        const bool ends = addBatch(scan, own, apart, from + group * kBatch, tilesBefore, sum);
#pragma unroll
        for (unsigned g = 0; g < kGroups; ++g) {
            const Sum theirs = __shfl_sync(kAllLanes, sum, g * kRows + row);
            const int last = __shfl_sync(kAllLanes, static_cast<int>(ends), g * kRows + row);
            if (done) continue;
            before = theirs + before;
            done = last != 0;
        }
        if (__all_sync(kAllLanes, done) != 0) return before;
    }
}

/// What lies above one column.
template <class Sum>
__device__ Sum above(unsigned scan, const Wide* own, Wide apart, unsigned tilesBefore) {
    Sum before = 0;
    for (unsigned from = 1;; from += OnePassPolicy::kBatch)
        if (addBatch(scan, own, apart, from, tilesBefore, before)) return before;
}

/// Columns of the tile, of whose warps `columns` holds the sums: there, what comes before each warp, and behind, what
/// comes before the tile.
template <class Sum>
__device__ void tellColumns(unsigned scan, Wide* own, Wide apart, unsigned tilesBefore, Sum* columns) {
    const unsigned warps = blockDim.x / 32;
    for (unsigned c = threadIdx.x; c < OnePassPolicy::kColumns; c += blockDim.x) {
        Sum total = 0;
        for (unsigned w = 0; w < warps; ++w) {
            const Sum ofWarp = columns[w * OnePassPolicy::kColumns + c];
            columns[w * OnePassPolicy::kColumns + c] = total;
            total += ofWarp;
        }
        Sum before = 0;
        if (tilesBefore > 0) {
            say(own + c, stated(scan, kOwn, total));
            before = above<Sum>(scan, own + c, apart, tilesBefore);
        }
        say(own + c, stated(scan, kUpTo, before + total));
        columns[warps * OnePassPolicy::kColumns + c] = before;
    }
}

/// This thread's quads of consecutive rows; 0 outside the picture.
template <class T, unsigned kRows>
__device__ void loadRows(const T* in, const IntegralTiles& t, unsigned x, unsigned y, bool quads,
                         PackedQuad<T> (&rows)[kRows]) {
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        const T* const row = in + Wide{y + i} * t.width;
        const unsigned size = y + i < t.height ? t.width : 0;
        T raw[4] = {};
        if (!quads || x < size) loadQuadOf(row, size, x, quads, raw);
        memcpy(&rows[i], &raw, sizeof raw);
    }
}

template <class T, class Sum>
__global__ void __launch_bounds__(OnePassPolicy::kMostThreads, OnePassPolicy::kBlocks)
    one_pass(const T* in, Sum* out, IntegralTiles t, unsigned tiles, Wide* states) {
    constexpr unsigned kRows = kRowsOfWarp<T>, kColumns = OnePassPolicy::kColumns;
    const auto [number, turn] = drawTile(states);
    __syncthreads();              // every thread has the number
    if (number >= tiles) return;  // the trace may run a block twice
    const IntegralTile tile(static_cast<unsigned>(number), t);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned x = tile.column * kColumns + lane * 4, y = tile.row * t.rows + warp * kRows;
    const Wide slice = Wide{tile.slice} * t.width * t.height;
    const bool quads = t.width % 4 == 0;  // each row begins where four values lie
    PackedQuad<T> raw[kRows];
    loadRows(in + slice, t, x, y, quads, raw);

    Sum before[kRows], ofRow = 0;  // before this lane; and in lane r of row r
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        const auto v = [&](int c) { return static_cast<Sum>(raw[i][c]); };
        const Sum upTo = warpInclusive((v(0) + v(1)) + (v(2) + v(3)));
        before[i] = __shfl_up_sync(kAllLanes, upTo, 1);
        if (lane == 0) before[i] = 0;
        const Sum total = __shfl_sync(kAllLanes, upTo, 31);
        if (lane % kRows == i) ofRow = total;
    }
    Wide* const own =
        states + StatesLayout::kFirst + ((Wide{tile.slice} * t.down + tile.row) * t.across + tile.column) * t.words();
    Wide* const ownRow = own + warp * kRows + lane % kRows;
    Sum left = 0;
    if (tile.column > 0) {
        if (lane < kRows) say(ownRow, stated(turn, kOwn, ofRow));
        left = leftOf<kRows, Sum>(turn, ownRow, t.words(), tile.column);
    }
    if (lane < kRows) say(ownRow, stated(turn, kUpTo, left + ofRow));

    Sum* const columns = sharedSums<Sum>();
    Sum sums[4] = {};
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        raw[i].stayPacked();
        before[i] = __shfl_sync(kAllLanes, left, static_cast<int>(i)) + before[i];
        Sum upTo = before[i];
#pragma unroll
        for (int v = 0; v < 4; ++v) sums[v] += upTo += static_cast<Sum>(raw[i][v]);
    }
    storeQuad(columns + warp * kColumns + lane * 4, sums);
    __syncthreads();  // the sums of warps are there
    tellColumns(turn, own + t.rows, t.across * t.words(), tile.row, columns);
    __syncthreads();  // and what comes before them
    Sum aboveWarp[4];
    loadQuad(columns + warp * kColumns + lane * 4, sums);
    loadQuad(columns + blockDim.x / 32 * kColumns + lane * 4, aboveWarp);
#pragma unroll
    for (int v = 0; v < 4; ++v) sums[v] = aboveWarp[v] + sums[v];
#pragma unroll
    for (unsigned i = 0; i < kRows; ++i) {
        raw[i].stayPacked();
        Sum upTo = before[i];
#pragma unroll
        for (int v = 0; v < 4; ++v) sums[v] += upTo += static_cast<Sum>(raw[i][v]);
        if (y + i >= t.height) continue;
        Sum* const row = out + slice + Wide{y + i} * t.width;
        if (quads) {
            if (x < t.width) storeQuad(row + x, sums);
        } else {
#pragma unroll
            for (unsigned v = 0; v < 4; ++v)
                if (x + v < t.width) row[x + v] = sums[v];
        }
    }
}

inline IntegralTiles tilesOf(const Integral& s, const TunableValues& t) {
    const unsigned rowsOfWarp = s.type == io::PixelType::u8 ? kRowsOfWarp<std::uint8_t> : kRowsOfWarp<float>;
    const auto width = static_cast<unsigned>(s.width), height = static_cast<unsigned>(s.height);
    const unsigned rows = blockWidthOf(t) / 32 * rowsOfWarp;
    return {width, height, rows, (width + OnePassPolicy::kColumns - 1) / OnePassPolicy::kColumns,
            (height + rows - 1) / rows};
}

inline void launchIntegral(LaunchContext& c, const Integral& s, const TunableValues& t) {
    io::withSampleType(s.type, [&]<class T>(T) {
        using Sum = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;
        const unsigned threads = blockWidthOf(t);
        const IntegralTiles tiles = tilesOf(s, t);
        const unsigned number = tiles.across * tiles.down * static_cast<unsigned>(s.slices);
        Wide* const states = freshStates(c, s.scratch);
        launch(c, &one_pass<T, Sum>, dim3(number), dim3(threads),
               (threads / 32 + 1) * OnePassPolicy::kColumns * sizeof(Sum), static_cast<const T*>(c.address(s.input)),
               static_cast<Sum*>(c.address(s.output)), tiles, number, states);
    });
}

inline std::size_t integralScratch(const Integral& s, const TunableValues& t) {
    const IntegralTiles tiles = tilesOf(s, t);
    return statesBytes(std::uint64_t{tiles.across} * tiles.down * static_cast<unsigned>(s.slices) *
                       (tiles.rows + OnePassPolicy::kColumns));
}

inline Footprint onePassFootprint(const TunableValues& t) {
    const int threads = static_cast<int>(blockWidthOf(t));
    return {.blockWidth = threads,
            .blockHeight = 1,
            .tileWidth = OnePassPolicy::kColumns,
            .tileHeight = threads / 32 * static_cast<int>(kRowsOfWarp<float>),
            .staged = true,
            .order = Order::rows};
}

/// A warp's rows, warps of a tile, and tiles, one after another.
inline double onePassDepth(double length) { return 64 + length / 32; }

inline void launchWindowsOnce(LaunchContext& c, const Windows& w, const TunableValues& t) {
    fusesWindows(w.type, w.radius) ? launchFused(c, w) : launchSliding(c, w, t);
}

inline std::size_t windowsOnceShared(io::PixelType type, int radius) {
    return fusesWindows(type, radius) ? FusedPlan(radius, 0).bytes() : slidingShared(type, radius);
}

inline int narrowDepth(io::PixelType type, int radius) { return fusesWindows(type, radius) ? fusedDepth(radius) : 0; }

KernelEntry one_pass_entry() {
    return {.integral = &launchIntegral,
            .windows = &launchWindowsOnce,
            .compact = &launchCompact,
            .footprint = &onePassFootprint,
            .integralScratch = &integralScratch,
            .compactScratch = &compactScratch,
            .windowsShared = &windowsOnceShared,
            .windowsDepth = &narrowDepth,
            .compactShared = &compactShared,
            .depth = &onePassDepth,
            .wide = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
