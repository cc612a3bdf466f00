// SPDX-License-Identifier: Apache-2.0
// Idea: an integral picture in one kernel: a tile learns what lies left of its rows, then what lies above its columns.
// Changed from look_back_vectorised: look-back both ways; a value is read once and its sum written once, where rows and
// then columns move sums twice more.
// Needs: tiles numbered by a ticket, so that a block waits only for blocks that have begun; sums of 32 bits; up to 69
// KiB of shared memory per block, and here rows of whole quads: integral_narrow.cuh takes other widths.
// Block: 4 warps (u8: 8) of 16 rows each, 256 columns, whose values arrive in shared memory by cp.async; block_width
// counts threads of the other tasks and of narrow tiles.
// Source: Kasagi, Nakano and Ito 2014 (1R1W); Merrill and Garland 2016; Emoto et al. 2018; re-derived.
// Look at: bytes, 5 a pixel of u8 and 8 of f32, and what tiles tell: a word for each of their rows and columns.
#pragma once

#include "gpu/families/scan/compaction.cuh"
#include "gpu/families/scan/fused_windows.cuh"
#include "gpu/families/scan/integral_narrow.cuh"
#include "gpu/families/scan/prefix_warp.cuh"
#include "gpu/families/scan/sliding.cuh"
#include "gpu/families/scan/whole_windows.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// A wide tile: kWarps x kRows rows and 128 x kQuads columns.
template <class TOf, unsigned kWarpsOf, unsigned kRowsOf, unsigned kQuadsOf, unsigned kBlocksOf>
struct IntegralShape {
    using T = TOf;
    using Sum = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;
    static constexpr unsigned kWarps = kWarpsOf, kRows = kRowsOf, kQuads = kQuadsOf;
    static constexpr unsigned kBlocks = kBlocksOf;                  ///< a multiprocessor
    static constexpr unsigned kRowsAWord = sizeof(T) == 1 ? 2 : 1;  ///< sums of bytes of two rows share a word
    static constexpr unsigned kThreads = 32 * kWarps, kColumns = 128 * kQuads, kHigh = kWarps * kRows;
    static constexpr IntegralCut kCut{.wide = true, .warps = kWarps, .rowsOfWarp = kRows, .columns = kColumns};
    static constexpr unsigned kWords = kCut.words();
    static_assert(kRowsAWord == 1 || 255 * kColumns < 65536);
};

constexpr unsigned kWideBlocks[]{0, 4, 5, 0, 3};  // a multiprocessor, by a value's bytes

template <class T>
constexpr IntegralCut kWideCut = wideCut(sizeof(T));

template <class T>
using IntegralPolicy =
    IntegralShape<T, kWideCut<T>.warps, kWideCut<T>.rowsOfWarp, kWideCut<T>.columns / 128, kWideBlocks[sizeof(T)]>;

/// Four values into shared memory: under way where the GPU can do that, else at once.
template <class T>
__device__ void bringQuad(T* to, const T* from) {
    if constexpr (sizeof(T) == 4) return bringPack(to, from);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(4 * sizeof(T)));
#else
    T values[4];
    loadQuad(from, values);
    storeQuad(to, values);
#endif
}

template <class T>
__device__ unsigned sumOfQuad(const T (&v)[4]) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 1) {
        unsigned word;
        memcpy(&word, &v, sizeof word);
        return __dp4a(word, 0x01010101U, 0U);
    } else
#endif
        return (unsigned{v[0]} + v[1]) + (unsigned{v[2]} + v[3]);
}
__device__ inline float sumOfQuad(const float (&v)[4]) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// A warp's part of a tile: each lane brings and takes its own quads of each row, `values` the first of them in shared
/// memory, x and y its place in the picture.
template <class P>
struct WarpRows {
    using T = typename P::T;
    using Sum = typename P::Sum;
    IntegralTiles t;
    T* values;
    unsigned x, y;
    Sum before[P::kRows / P::kRowsAWord][P::kQuads];  ///< of the row, before each quad
    Sum left = 0;                                     ///< in lane r: what lies left of the tile in row r

    /// All of the warp's rows, and the tile's columns, are there.
    __device__ bool whole() const {
        return x - threadIdx.x % 32 * 4 + P::kColumns <= t.width && y + P::kRows <= t.height;
    }
    /// A row is whole quads: all four values are there, or none.
    __device__ bool inside(unsigned row, unsigned q) const { return y + row < t.height && x + q * 128 < t.width; }
    __device__ T* quad(unsigned row, unsigned q) const { return values + row * P::kColumns + q * 128; }

    template <bool kWhole>
    __device__ void bring(const T* in) const {
        const T* const from = in + Wide{y} * t.width + x;
#pragma unroll(kWhole ? P::kRows : 4)
        for (unsigned i = 0; i < P::kRows; ++i)
#pragma unroll
            for (unsigned q = 0; q < P::kQuads; ++q) {
                if (kWhole || inside(i, q))
                    bringQuad(quad(i, q), from + Wide{i} * t.width + q * 128);
                else
                    storeQuad(quad(i, q), {});
            }
        commitCopies();
        awaitCopies<0>();
    }
    __device__ Sum sumOf(unsigned row, unsigned q) const {
        T raw[4];
        loadQuad(quad(row, q), raw);
        return sumOfQuad(raw);
    }
    /// Returns, in lane r, the sum of row r modulo kRows.
    __device__ Sum addUp() {
        constexpr unsigned kRowsAWord = P::kRowsAWord;
        const unsigned lane = threadIdx.x % 32;
        Sum ofRow = 0;
#pragma unroll
        for (unsigned i = 0; i < P::kRows / kRowsAWord; ++i) {
            Sum sum = 0;
#pragma unroll
            for (unsigned q = 0; q < P::kQuads; ++q) {
                Sum own = sumOf(kRowsAWord * i, q);
                if constexpr (kRowsAWord == 2) own += sumOf(2 * i + 1, q) << 16;
                const Sum upTo = warpInclusive(own);
                const Sum beforeLane = __shfl_up_sync(kAllLanes, upTo, 1);
                before[i][q] = sum + (lane == 0 ? Sum{0} : beforeLane);
                sum += __shfl_sync(kAllLanes, upTo, 31);
            }
            if constexpr (kRowsAWord == 2) {
                if (lane % P::kRows == 2 * i) ofRow = sum & 0xffffU;
                if (lane % P::kRows == 2 * i + 1) ofRow = sum >> 16;
            } else if (lane % P::kRows == i) {
                ofRow = sum;
            }
        }
        return ofRow;
    }
    /// Adds a row's sums from the start of the picture's rows to those of the rows above.
    __device__ void addRow(unsigned i, Sum (&sums)[P::kQuads][4]) const {
        const Sum leftOfRow = __shfl_sync(kAllLanes, left, static_cast<int>(i));
#pragma unroll
        for (unsigned q = 0; q < P::kQuads; ++q) {
            Sum upTo = before[i / P::kRowsAWord][q];
            if constexpr (P::kRowsAWord == 2) upTo = i % 2 == 0 ? upTo & 0xffffU : upTo >> 16;
            upTo = leftOfRow + upTo;
            T raw[4];
            loadQuad(quad(i, q), raw);
#pragma unroll
            for (int v = 0; v < 4; ++v) sums[q][v] += upTo += static_cast<Sum>(raw[v]);
        }
    }
    template <bool kWhole>
    __device__ void finish(Sum* out, Sum (&sums)[P::kQuads][4]) const {
#pragma unroll
        for (unsigned i = 0; i < P::kRows; ++i) {
            addRow(i, sums);
#pragma unroll
            for (unsigned q = 0; q < P::kQuads; ++q)
                if (kWhole || inside(i, q)) storeQuad(out + Wide{y + i} * t.width + x + q * 128, sums[q]);
        }
    }
};

/// Rows are whole quads: t.width is a multiple of 4.
template <class P>
__global__ void __launch_bounds__(P::kThreads, P::kBlocks)
    one_pass(const typename P::T* in, typename P::Sum* out, IntegralTiles t, unsigned tiles, Wide* states) {
    using T = typename P::T;
    using Sum = typename P::Sum;
    const auto [number, turn] = drawTile(states, tiles);
    __syncthreads();  // every thread has the number
    const IntegralTile tile(static_cast<unsigned>(number), t);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const Wide slice = Wide{tile.slice} * t.width * t.height;
    Sum* const columns = sharedSums<Sum>();
    T* const values = reinterpret_cast<T*>(columns + (P::kWarps + 1) * P::kColumns);
    WarpRows<P> rows{t,
                     values + warp * P::kRows * P::kColumns + lane * 4,
                     tile.column * P::kColumns + lane * 4,
                     tile.row * P::kHigh + warp * P::kRows,
                     {}};
    rows.whole() ? rows.template bring<true>(in + slice) : rows.template bring<false>(in + slice);

    const Sum ofRow = rows.addUp();
    Wide* const own =
        states + StatesLayout::kFirst + ((Wide{tile.slice} * t.down + tile.row) * t.across + tile.column) * P::kWords;
    Wide* const ownRow = own + warp * P::kRows + lane % P::kRows;
    if (tile.column > 0) {
        if (lane < P::kRows) publish(ownRow, packTileState(turn, kPartial, ofRow));
        rows.left = leftOf<P::kRows, Sum>(turn, ownRow, P::kWords, tile.column);
    }
    if (lane < P::kRows) publish(ownRow, packTileState(turn, kInclusive, rows.left + ofRow));

    Sum sums[P::kQuads][4] = {};
#pragma unroll
    for (unsigned i = 0; i < P::kRows; ++i) rows.addRow(i, sums);
#pragma unroll
    for (unsigned q = 0; q < P::kQuads; ++q) storeQuad(columns + warp * P::kColumns + q * 128 + lane * 4, sums[q]);
    __syncthreads();  // the sums of warps are there
    tellColumns<P::kColumns>(turn, own + P::kHigh, Wide{t.across} * P::kWords, tile.row, columns, P::kWarps);
    __syncthreads();  // and what comes before them
#pragma unroll
    for (unsigned q = 0; q < P::kQuads; ++q) {
        Sum aboveWarp[4];
        loadQuad(columns + warp * P::kColumns + q * 128 + lane * 4, sums[q]);
        loadQuad(columns + P::kWarps * P::kColumns + q * 128 + lane * 4, aboveWarp);
#pragma unroll
        for (int v = 0; v < 4; ++v) sums[q][v] = aboveWarp[v] + sums[q][v];
    }
    rows.whole() ? rows.template finish<true>(out + slice, sums) : rows.template finish<false>(out + slice, sums);
}

inline void launchIntegral(LaunchContext& c, const Integral& s, const TunableValues& t) {
    io::withSampleType(s.type, [&]<class T>(T) {
        using P = IntegralPolicy<T>;
        using Sum = typename P::Sum;
        const IntegralCut cut = integralCut(s, blockWidthOf(t));
        const IntegralTiles tiles = tilesOf(s, cut);
        const unsigned number = tiles.across * tiles.down * static_cast<unsigned>(s.slices);
        launch(c, cut.wide ? &one_pass<P> : &integral_narrow<T, Sum>, dim3(number), dim3(cut.threads()),
               cut.sharedBytes(sizeof(T)), static_cast<const T*>(c.address(s.input)),
               static_cast<Sum*>(c.address(s.output)), tiles, number, statesOf(c, s.scratch));
    });
}

inline std::size_t integralScratch(const Integral& s, const TunableValues& t) {
    const IntegralCut cut = integralCut(s, blockWidthOf(t));
    const IntegralTiles tiles = tilesOf(s, cut);
    return statesBytes(std::uint64_t{tiles.across} * tiles.down * static_cast<unsigned>(s.slices) * cut.words());
}

/// An integral picture's depends on the picture as well.
inline Footprint onePassFootprint(const TunableValues& t) {
    return footprintOf(narrowCut(sizeof(float), blockWidthOf(t)));
}

/// A warp's rows, warps of a tile, and tiles, one after another.
inline double onePassDepth(double length) { return 64 + length / 32; }

inline void launchWindowsOnce(LaunchContext& c, const Windows& w, const TunableValues&) {
    if (fusesWindows(w)) return launchFused(c, w);
    slides(w) ? launchSliding(c, w) : launchWhole(c, w);
}

inline std::size_t windowsOnceShared(const Windows& w) {
    if (fusesWindows(w)) return FusedPlan(w.radius, 1, 0).bytes();
    return slides(w) ? slidingShared(w.type, w.radius) : wholeShared(w.radius);
}

/// Sliding sums round that of each row.
inline int narrowDepth(const Windows& w) {
    if (fusesWindows(w)) return fusedDepth(w.radius);
    return w.type == io::PixelType::f32 && !w.threshold && slides(w) ? 1 : 0;
}

KernelEntry one_pass_entry() {
    return {.integral = &launchIntegral,
            .windows = &launchWindowsOnce,
            .compact = &launchCompact,
            .footprint = &onePassFootprint,
            .compactFootprint = &compactFootprint,
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
