// SPDX-License-Identifier: Apache-2.0
// Idea: no two values are compared: values of 32 bits go to the place of their digits, 8 bits a pass, in four passes
// that each read and write every value once. Values of 8 and 16 bits are counted and written anew, and a list that fits
// into a block is sorted there by one kernel.
// Changed from vectorised: passes by digits, four for any length, instead of a pass for each doubling of the runs.
// Needs: tiles numbered by a ticket, so that a block waits only for blocks that have begun; lists of less than 2^32
// values; 128 KiB of shared memory per block for 16 bits.
// Block: 384 threads, 20 values each in registers; 43 KiB of shared memory for counters of warps and a sorted tile.
// Source: Adinets and Merrill, Onesweep, 2022; Merrill and Garland 2016 (decoupled look-back); re-derived.
// Look at: loads and stores: each pass moves all values, and a tile's values of one digit are stored side by side.
#pragma once

#include "gpu/families/merge/counting.cuh"
#include "gpu/families/merge/digits.cuh"
#include "gpu/kernels/tile_states.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

struct SweepPolicy {
    static constexpr unsigned kThreads = 384, kItems = 20, kBlocks = 2;  ///< blocks a multiprocessor
    static constexpr unsigned kAsked = 4;                                ///< tiles asked at once in the look-back
};

constexpr unsigned kSweeps = 32 / kDigitBits;

/// What a sort has in its scratch, zero when that was made.
struct SweepState {
    Wide tickets[kSweeps];
    unsigned sorts;  ///< begun so far
};

/// Where the values of all lists go by one digit.
template <class O>
struct Sweep {
    using Value = typename O::Value;
    O order;
    const Value* in;
    Value* out;
    Lists lists;
    SweepState* state;
    const unsigned* counts;  ///< a list's: of each digit place kDigits
    TileState* tiles;        ///< a list's tiles: of each kDigits
    unsigned number;         ///< of the digit, from the lowest on
    unsigned tilesOfList;

    __device__ unsigned digit(Value value) const { return digitOf(order, value, number * kDigitBits); }
    /// NaN are all made the same before the first digit is looked at.
    __device__ Value load(const Value* at) const {
        return number == 0 ? order.value(order.onlyNaN(order.key(*at))) : *at;
    }
};

/// How many values of the list before this tile have the digit `threadIdx.x`: each thread asks tiles for its own.
template <unsigned kAsked>
__device__ unsigned countBefore(unsigned turn, const TileState* own) {
    unsigned before = 0;
    // The first tile tells what is up to it, so that no one asks beyond; what was asked there is not heard.
    for (const TileState* at = own - kDigits;; at -= kAsked * kDigits) {
        TileState said[kAsked];
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k) said[k] = poll(at - k * kDigits);
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k) {
            TileCount tile = tileCount(turn, said[k]);
            if (tile.what == TileStatus::invalid) tile = waitForStatus(turn, at - k * kDigits);
            before += tile.count;
            if (tile.what == TileStatus::inclusive) return before;
        }
    }
}

/// Of all digits of all lists how many values have them. A block goes through a part of a list.
template <class O>
__global__ void count_digits(O order, const typename O::Value* in, Lists lists, unsigned* counts) {
    __shared__ unsigned ofBlock[kSweeps * kDigits];
    for (unsigned i = threadIdx.x; i < kSweeps * kDigits; i += blockDim.x) ofBlock[i] = 0;
    __syncthreads();
    const auto* const values = in + lists.first + blockIdx.y * lists.stride;
    const auto step = Wide{gridDim.x} * blockDim.x;
#pragma unroll 4
    for (Wide i = Wide{blockIdx.x} * blockDim.x + threadIdx.x; i < lists.length; i += step) {
        const unsigned bits = radixOf(order, order.value(order.onlyNaN(order.key(values[i]))));
#pragma unroll
        for (unsigned n = 0; n < kSweeps; ++n)
            atomicAdd(ofBlock + n * kDigits + (bits >> n * kDigitBits & (kDigits - 1)), 1U);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < kSweeps * kDigits; i += blockDim.x)
        if (ofBlock[i] > 0) atomicAdd(counts + blockIdx.y * kSweeps * kDigits + i, ofBlock[i]);
}

/// Before each sort: nothing is counted, no ticket drawn, and what tiles told before does not count.
template <class Word>
__global__ void begin_sort(SweepState* state, Word* counts, unsigned words) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < words) counts[i] = 0;
    if (i < kSweeps) state->tickets[i] = 0;
    if (i == 0) ++state->sorts;
}

/// A tile's values are ordered by their digit in shared memory and stored from there, so that those of one digit go to
/// neighbouring places.
template <class O>
__global__ void __launch_bounds__(SweepPolicy::kThreads, SweepPolicy::kBlocks) radix(Sweep<O> sweep) {
    using P = SweepPolicy;
    using Value = typename O::Value;
    constexpr unsigned kWarps = P::kThreads / 32, kTile = P::kThreads * P::kItems;
    auto* const counters = reinterpret_cast<unsigned*>(dynamicShared);
    unsigned *const shift = counters + kWarps * kDigits, *const ofWarps = shift + kDigits;
    unsigned* const drawn = ofWarps + kDigits / 32;
    auto* const sorted = reinterpret_cast<Value*>(drawn + 8);
    if (threadIdx.x == 0) {
        drawn[0] = static_cast<unsigned>(atomicAdd(sweep.state->tickets + sweep.number, Wide{1}));
        drawn[1] = sweep.state->sorts * kSweeps + sweep.number;
    }
    clearCounters<P::kThreads>(counters);
    __syncthreads();
    const unsigned number = drawn[0], turn = drawn[1], list = number / sweep.tilesOfList;
    if (list >= sweep.lists.count) return;  // the trace may run a block twice
    const unsigned tile = number - list * sweep.tilesOfList, begin = tile * kTile;
    const auto length = static_cast<unsigned>(sweep.lists.length);
    const unsigned count = length - begin < kTile ? length - begin : kTile;
    const Wide at = sweep.lists.first + list * sweep.lists.stride;

    const unsigned warp = threadIdx.x / 32, first = warp * 32 * P::kItems + threadIdx.x % 32;
    unsigned* const mine = counters + warp * kDigits;
    Value values[P::kItems];
    unsigned rank[P::kItems];
    const Value* const in = sweep.in + at + begin + first;
    // Beyond the list's end are largest keys, which come behind all others and are not stored.
    if (count == kTile) {
#pragma unroll
        for (unsigned i = 0; i < P::kItems; ++i) values[i] = sweep.load(in + i * 32);
    } else {
#pragma unroll
        for (unsigned i = 0; i < P::kItems; ++i)
            values[i] = first + i * 32 < count ? sweep.load(in + i * 32) : sweep.order.value(O::kLargest);
    }
    rankInWarp(mine, rank, [&](unsigned i) { return sweep.digit(values[i]); });
    TileState* const own = sweep.tiles + Wide{number} * kDigits + threadIdx.x;
    unsigned ofDigit = 0;
    const unsigned firstOfDigit = placeDigits<kWarps>(counters, ofWarps, [&](unsigned counted) {
        ofDigit = counted;
        if (tile > 0) publish(own, tileState(turn, TileStatus::partial, counted));
    });
#pragma unroll
    for (unsigned i = 0; i < P::kItems; ++i) sorted[mine[sweep.digit(values[i])] + rank[i]] = values[i];

    // Before the first tile are the values of all lower digits.
    unsigned before = 0;
    if (tile == 0) {
        if (threadIdx.x < kDigits) before = sweep.counts[(list * kSweeps + sweep.number) * kDigits + threadIdx.x];
        before = sumBefore(before, ofWarps);
    } else if (threadIdx.x < kDigits) {
        before = countBefore<P::kAsked>(turn, own);
    }
    if (threadIdx.x < kDigits) {
        publish(own, tileState(turn, TileStatus::inclusive, before + ofDigit));
        shift[threadIdx.x] = before - firstOfDigit;
    }
    __syncthreads();
    Value* const out = sweep.out + at;
#pragma unroll
    for (unsigned i = 0; i < P::kItems; ++i) {
        const unsigned place = i * P::kThreads + threadIdx.x;
        if (place >= count) break;
        const Value value = sorted[place];
        const unsigned to = shift[sweep.digit(value)] + place;
        if (to < length) out[to] = value;  // in a trace of some blocks not all was counted
    }
}

/// The scratch's parts, each behind the one before.
struct SweepLayout {
    std::size_t counts, tiles, bytes;
    unsigned tilesOfList;

    explicit SweepLayout(const Lists& lists) {
        constexpr std::uint64_t kTile = SweepPolicy::kThreads * SweepPolicy::kItems;
        tilesOfList = static_cast<unsigned>(ceilDivWide(lists.length, kTile));
        // As many states as are asked before the first tile's lie before them.
        counts = 256;
        tiles = counts + lists.count * kSweeps * kDigits * sizeof(unsigned) +
                SweepPolicy::kAsked * kDigits * sizeof(TileState);
        bytes = tiles + lists.count * tilesOfList * kDigits * sizeof(TileState);
    }
};

constexpr std::size_t sweepShared() {
    constexpr std::size_t kTile = SweepPolicy::kThreads * SweepPolicy::kItems;
    return (SweepPolicy::kThreads / 32 * kDigits + kDigits + kDigits / 32 + 8 + kTile) * sizeof(unsigned);
}

/// Each list by a block of its own.
template <class O>
void sortInBlocks(LaunchContext& c, const Sorting& s, O order) {
    using Value = typename O::Value;
    const auto go = [&]<unsigned kItems>(std::integral_constant<unsigned, kItems>) {
        launch(c, &sort_list<O, kItems>, dim3(static_cast<unsigned>(s.lists.count)), dim3(BlockSort::kThreads),
               BlockSort::sharedBytes(kItems, sizeof(Value)), order, static_cast<const Value*>(c.address(s.input)),
               static_cast<Value*>(c.address(s.output)), s.lists);
    };
    switch (BlockSort::itemsFor(s.lists.length)) {
        case BlockSort::kFew: return go(std::integral_constant<unsigned, BlockSort::kFew>());
        case BlockSort::kSome: return go(std::integral_constant<unsigned, BlockSort::kSome>());
        default: return go(std::integral_constant<unsigned, BlockSort::kMany>());
    }
}

/// Digit after digit, to the buffer between and back.
template <class O>
void sortBySweeps(LaunchContext& c, const Sorting& s, O order) {
    using Value = typename O::Value;
    constexpr unsigned kThreads = 512, kValuesOfCounter = 32768, kCounters = 528;
    const SweepLayout layout(s.lists);
    auto* const scratch = static_cast<char*>(c.address(s.scratch));
    auto* const state = reinterpret_cast<SweepState*>(scratch);
    auto* const counts = reinterpret_cast<unsigned*>(scratch + layout.counts);
    const auto lists = static_cast<unsigned>(s.lists.count), words = lists * kSweeps * kDigits;
    launch(c, &begin_sort<unsigned>, dim3(words / 256), dim3(256), 0, state, counts, words);
    const auto* const input = static_cast<const Value*>(c.address(s.input));
    const Wide blocks = ceilDivWide(s.lists.length, kValuesOfCounter);
    launch(c, &count_digits<O>, dim3(static_cast<unsigned>(blocks < kCounters ? blocks : kCounters), lists),
           dim3(kThreads), 0, order, input, s.lists, counts);
    auto* const between = static_cast<Value*>(c.address(s.between));
    auto* const output = static_cast<Value*>(c.address(s.output));
    for (unsigned number = 0; number < kSweeps; ++number) {
        const Sweep<O> sweep{order,
                             number == 0       ? input
                             : number % 2 == 0 ? output
                                               : between,
                             number % 2 == 0 ? between : output,
                             s.lists,
                             state,
                             counts,
                             reinterpret_cast<TileState*>(scratch + layout.tiles),
                             number,
                             layout.tilesOfList};
        launch(c, &radix<O>, dim3(lists * layout.tilesOfList), dim3(SweepPolicy::kThreads), sweepShared(), sweep);
    }
}

constexpr bool inBlocks(const Lists& lists) { return lists.length <= BlockSort::kLongest; }

inline void launchRadixSort(LaunchContext& c, const Sorting& s, const TunableValues&) {
    dispatch(s.type, [&]<class O>(O order) {
        if (inBlocks(s.lists))
            sortInBlocks(c, s, order);
        else if constexpr (sizeof(typename O::Value) < 4)
            sortByCounting<typename O::Value>(c, s);
        else
            sortBySweeps(c, s, order);
    });
}

/// Of values that are counted nothing has to be sorted.
inline bool launchRadixPicks(LaunchContext& c, const Sorting& s, const Picks& picks) {
    bool counted = false;
    dispatch(s.type, [&]<class O>(O) {
        if constexpr (sizeof(typename O::Value) < 4) {
            if (inBlocks(s.lists)) return;
            pickByCounting<typename O::Value>(c, s, picks);
            counted = true;
        }
    });
    return counted;
}

inline std::size_t radixScratch(const Sorting& s) {
    std::size_t bytes = 0;
    dispatch(s.type, [&]<class O>(O) {
        if (inBlocks(s.lists)) return;
        if constexpr (sizeof(typename O::Value) < 4)
            bytes = countingScratch<typename O::Value>(s.lists);
        else
            bytes = SweepLayout(s.lists).bytes;
    });
    return bytes;
}

inline std::size_t radixShared(const TunableValues&, std::size_t valueBytes, const Lists& lists) {
    if (inBlocks(lists)) return BlockSort::sharedBytes(BlockSort::itemsFor(lists.length), valueBytes);
    if (valueBytes == 2) return BlockCounters<std::uint16_t>::kWords * sizeof(unsigned);
    return sweepShared();
}

inline Footprint radixFootprint(const TunableValues&) {
    return stretchFootprint(SweepPolicy::kThreads, SweepPolicy::kThreads * SweepPolicy::kItems, true);
}

KernelEntry radix_entry() {
    return {.footprint = &radixFootprint,
            .sharedBytes = &radixShared,
            .sort = &launchRadixSort,
            .picks = &launchRadixPicks,
            .sortScratch = &radixScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
