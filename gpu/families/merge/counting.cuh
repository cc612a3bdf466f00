// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of 8 and 16 bits are sorted by counting them: equal values are the same, so that how many there are of each
// says what the sorted list is, and what its quantiles are.

#include "gpu/families/merge/digits.cuh"
#include "gpu/kernels/load_once.cuh"

#include <algorithm>
#include <cstring>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// Counters of a block in shared memory: a word each of 8 bits; of 16 bits two in a word, or they would not fit.
template <class T>
struct BlockCounters {
    static constexpr unsigned kBins = 1U << 8 * sizeof(T), kBinsOfWord = sizeof(T), kWords = kBins / kBinsOfWord;
    static constexpr unsigned kThreads = 1024;
    /// Packs a thread between barriers: no counter that was below a half then is full before the next.
    static constexpr unsigned kPacks = 2;
    static constexpr unsigned kHalf = 0x8000;  ///< of a counter of 16 bits
    static_assert(kPacks * Pack<T>::kValues * kThreads <= kHalf);

    /// `full` has what did not fit into counters of 16 bits.
    __device__ static void add(unsigned* counters, T value, unsigned* full) {
        if constexpr (kBinsOfWord == 1) {
            atomicAdd(counters + value, 1U);
        } else {
            unsigned* const word = counters + value / 2;
            const unsigned bit = value % 2 * 16, before = atomicAdd(word, 1U << bit) >> bit & 0xffffU;
            if (before + 1 != kHalf) return;
            atomicSub(word, kHalf << bit);
            atomicAdd(full + value, kHalf);
        }
    }
};

struct CountingPolicy {
    /// Blocks of all lists: one a multiprocessor of the largest GPU, which sums of 16 bits fill.
    static constexpr unsigned kBlocks = 132;
    /// As few as a counter of 16 bits holds for sure, with what lies beside them in packs.
    static constexpr unsigned kFewest = BlockCounters<std::uint16_t>::kHalf - 32;
    static constexpr unsigned kSumThreads = 256;
    static constexpr unsigned kSteps = 8;  ///< values that a thread looks at before it searches
    /// Packs a thread writes: several where there are enough threads.
    static constexpr unsigned packs(Wide length) { return length > Wide{1} << 22 ? 4 : 1; }
};

/// A list's counts: rows of words, a block's each; what its counters could not hold; and, in groups of words that a
/// block summed, how many values there are up to each.
template <class T>
struct Counts {
    using C = BlockCounters<T>;
    static constexpr unsigned kGroup = CountingPolicy::kSumThreads * C::kBinsOfWord, kGroups = C::kBins / kGroup;
    unsigned* words;
    unsigned blocks;

    static constexpr std::size_t kBehindRows = 2 * C::kBins + 256;  ///< words: full, up to, of groups

    __device__ Counts ofList(unsigned list) const {
        return {words + list * (std::size_t{blocks} * C::kWords + kBehindRows), blocks};
    }
    __device__ unsigned* row(unsigned block) const { return words + std::size_t{block} * C::kWords; }
    __device__ unsigned* full() const { return row(blocks); }
    __device__ unsigned* upTo() const { return full() + C::kBins; }
    __device__ unsigned* ofGroups() const { return upTo() + C::kBins; }
};

template <class T>
__global__ void clear_full(Counts<T> counts) {
    counts.ofList(blockIdx.y).full()[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

/// A list in memory as packs, the first and the last of which may be others' in part.
template <class T>
struct ListPacks {
    T* list;
    Wide length;
    unsigned before;  ///< values of the first pack that are not the list's

    __device__ ListPacks(T* values, Wide count)
        : list(values),
          length(count),
          before(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(values) % 16 / sizeof(T))) {}
    __device__ Wide count() const { return (before + length + 16 / sizeof(T) - 1) / (16 / sizeof(T)); }
    /// Place in the list of the pack's first value; beyond all places where it is before the list.
    __device__ Wide place(Wide pack) const { return pack * (16 / sizeof(T)) - before; }
    __device__ bool whole(Wide pack) const { return place(pack) < length && length - place(pack) >= 16 / sizeof(T); }
};

template <class T>
__global__ void __launch_bounds__(BlockCounters<T>::kThreads, 1) count_values(const T* in, Lists lists, Counts<T> all) {
    using C = BlockCounters<T>;
    auto* const counters = reinterpret_cast<unsigned*>(dynamicShared);
    for (unsigned i = threadIdx.x; i < C::kWords; i += C::kThreads) counters[i] = 0;
    __syncthreads();
    const Counts<T> counts = all.ofList(blockIdx.y);
    const ListPacks<const T> packs(in + lists.first + blockIdx.y * lists.stride, lists.length);
    const Wide share = (packs.count() + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share;
    const Wide end = begin + share < packs.count() ? begin + share : packs.count();
    for (Wide first = begin; first < end; first += C::kPacks * C::kThreads) {
#pragma unroll
        for (unsigned k = 0; k < C::kPacks; ++k) {
            const Wide pack = first + k * C::kThreads + threadIdx.x;
            if (pack >= end) break;
            const Wide place = packs.place(pack);
            if (packs.whole(pack)) {
                const Pack<T> values = loadOnce(reinterpret_cast<const Pack<T>*>(packs.list + place));
#pragma unroll
                for (int i = 0; i < Pack<T>::kValues; ++i) C::add(counters, values[i], counts.full());
            } else {
                for (Wide i = place; i != place + Pack<T>::kValues; ++i)
                    if (i < lists.length) C::add(counters, packs.list[i], counts.full());
            }
        }
        __syncthreads();
    }
    for (unsigned i = threadIdx.x; i < C::kWords; i += C::kThreads) counts.row(blockIdx.x)[i] = counters[i];
}

/// A word a thread, over all rows; then how many values there are up to each within the block's group.
template <class T>
__global__ void sum_counts(Counts<T> all, bool someFull) {
    using C = BlockCounters<T>;
    __shared__ unsigned ofWarps[kDigits / 32];
    const Counts<T> counts = all.ofList(blockIdx.y);
    const unsigned word = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bins[C::kBinsOfWord] = {};
#pragma unroll 8
    for (unsigned block = 0; block < counts.blocks; ++block) {
        const unsigned read = counts.row(block)[word];
        if constexpr (C::kBinsOfWord == 1) {
            bins[0] += read;
        } else {
            bins[0] += read & 0xffffU;
            bins[1] += read >> 16;
        }
    }
    unsigned sum = 0;
#pragma unroll
    for (unsigned i = 0; i < C::kBinsOfWord; ++i) {
        if (someFull) bins[i] += counts.full()[word * C::kBinsOfWord + i];
        sum += bins[i];
    }
    unsigned upTo = sumBefore(sum, ofWarps);
#pragma unroll
    for (unsigned i = 0; i < C::kBinsOfWord; ++i) counts.upTo()[word * C::kBinsOfWord + i] = upTo += bins[i];
    if (threadIdx.x == blockDim.x - 1) counts.ofGroups()[blockIdx.x] = upTo;
}

/// The sorted list, as counts say it is. The block has kSumThreads threads.
template <class T>
struct Counted {
    using C = Counts<T>;
    const unsigned* upTo;
    const unsigned* beforeGroup;  ///< in shared memory

    /// Has a barrier, and needs one before it is used. `beforeGroups` has kGroups words.
    __device__ Counted(const C& counts, unsigned* beforeGroups, unsigned* ofWarps)
        : upTo(counts.upTo()), beforeGroup(beforeGroups) {
        const bool mine = threadIdx.x < C::kGroups;
        const unsigned before = sumBefore(mine ? counts.ofGroups()[threadIdx.x] : 0, ofWarps);
        if (mine) beforeGroups[threadIdx.x] = before;
    }
    /// How many values are not above this one.
    __device__ unsigned end(unsigned value) const { return beforeGroup[value / C::kGroup] + upTo[value]; }
    /// The value at a place, of which it is known that it is one of these.
    __device__ unsigned at(unsigned place, unsigned low, unsigned high) const {
        while (low < high) {
            const unsigned middle = (low + high) / 2;
            if (end(middle) > place)
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
};

template <class T>
__global__ void __launch_bounds__(CountingPolicy::kSumThreads)
    write_counted(T* out, Lists lists, Counts<T> all, unsigned packsOfThread) {
    constexpr unsigned kThreads = CountingPolicy::kSumThreads;
    constexpr unsigned kValues = Pack<T>::kValues;
    __shared__ unsigned ofWarps[kDigits / 32], beforeGroups[Counts<T>::kGroups], ends[2];
    const Counted<T> counted(all.ofList(blockIdx.y), beforeGroups, ofWarps);
    const ListPacks<T> packs(out + lists.first + blockIdx.y * lists.stride, lists.length);
    const Wide first = Wide{blockIdx.x} * kThreads * packsOfThread, last = lists.length - 1;
    __syncthreads();
    // The first and the last value of the block, by threads of different warps.
    if (threadIdx.x % 32 == 0 && threadIdx.x < 64) {
        const Wide place =
            threadIdx.x == 0 ? (first == 0 ? 0 : packs.place(first)) : packs.place(first + kThreads * packsOfThread);
        ends[threadIdx.x / 32] =
            counted.at(static_cast<unsigned>(place < last ? place : last), 0, Counts<T>::C::kBins - 1);
    }
    __syncthreads();
    unsigned low = ends[0];
    const unsigned high = ends[1];
#pragma unroll 1
    for (unsigned k = 0; k < packsOfThread; ++k) {
        const Wide pack = first + k * kThreads + threadIdx.x;
        if (pack >= packs.count()) break;
        const Wide place = packs.place(pack);
        unsigned next = static_cast<unsigned>(pack == 0 ? 0 : place), value = counted.at(next, low, high);
        unsigned end = counted.end(value);
        low = value;
        const auto take = [&] {
            // Most values follow soon; a search is for gaps.
            for (unsigned step = 0; step < CountingPolicy::kSteps && next >= end && value < high; ++step)
                end = counted.end(++value);
            if (next >= end && value < high) {
                value = counted.at(next, value, high);
                end = counted.end(value);
            }
            ++next;
            return value;
        };
        if (packs.whole(pack)) {
            unsigned words[4] = {};
#pragma unroll
            for (unsigned i = 0; i < kValues; ++i) words[i * sizeof(T) / 4] |= take() << 8 * (i * sizeof(T) % 4);
            float4 whole;
            memcpy(static_cast<void*>(&whole), words, sizeof whole);
            *reinterpret_cast<float4*>(packs.list + place) = whole;
        } else {
            for (Wide i = place; i != place + kValues; ++i)
                if (i < lists.length) packs.list[i] = static_cast<T>(take());
        }
    }
}

/// A block a list, a thread a quantile; a last one says that all values are numbers.
template <class T>
__global__ void pick_counted(Wide* out, Lists lists, Counts<T> all, Shares shares) {
    __shared__ unsigned ofWarps[kDigits / 32], beforeGroups[Counts<T>::kGroups];
    const Counted<T> counted(all.ofList(blockIdx.x), beforeGroups, ofWarps);
    __syncthreads();
    if (threadIdx.x >= Picks::kWords) return;
    Wide word = lists.length;
    if (threadIdx.x < Picks::kWords - 1)
        word = counted.at(static_cast<unsigned>(shares.place(threadIdx.x, lists.length)), 0, Counts<T>::C::kBins - 1);
    out[blockIdx.x * Picks::kWords + threadIdx.x] = word;
}

/// Blocks that count a list: few of a short one, whose counters of 16 bits are then never full.
inline unsigned countingBlocks(const Lists& lists) {
    const Wide wanted = ceilDivWide(lists.length, CountingPolicy::kFewest);
    const Wide most = std::max<Wide>(CountingPolicy::kBlocks / lists.count, 1);
    return static_cast<unsigned>(std::min(wanted, most));
}

template <class T>
std::size_t countingScratch(const Lists& lists) {
    const std::size_t rows = std::size_t{countingBlocks(lists)} * BlockCounters<T>::kWords;
    return lists.count * (rows + Counts<T>::kBehindRows) * sizeof(unsigned);
}

template <class T>
Counts<T> countLists(LaunchContext& c, const Sorting& s) {
    using C = BlockCounters<T>;
    const unsigned blocks = countingBlocks(s.lists), lists = static_cast<unsigned>(s.lists.count);
    const Counts<T> counts{static_cast<unsigned*>(c.address(s.scratch)), blocks};
    const bool someFull = C::kBinsOfWord > 1 && ceilDivWide(s.lists.length, blocks) > CountingPolicy::kFewest;
    if (someFull) launch(c, &clear_full<T>, dim3(C::kBins / 256, lists), dim3(256), 0, counts);
    launch(c, &count_values<T>, dim3(blocks, lists), dim3(C::kThreads), C::kWords * sizeof(unsigned),
           static_cast<const T*>(c.address(s.input)), s.lists, counts);
    launch(c, &sum_counts<T>, dim3(C::kWords / CountingPolicy::kSumThreads, lists), dim3(CountingPolicy::kSumThreads),
           0, counts, someFull);
    return counts;
}

template <class T>
void sortByCounting(LaunchContext& c, const Sorting& s) {
    const unsigned packs = CountingPolicy::packs(s.lists.length),
                   values = CountingPolicy::kSumThreads * packs * Pack<T>::kValues;
    const Counts<T> counts = countLists<T>(c, s);
    // A list that does not begin with a pack has one more.
    const auto blocks = static_cast<unsigned>(ceilDivWide(s.lists.length + Pack<T>::kValues, values));
    launch(c, &write_counted<T>, dim3(blocks, static_cast<unsigned>(s.lists.count)), dim3(CountingPolicy::kSumThreads),
           0, static_cast<T*>(c.address(s.output)), s.lists, counts, packs);
}

template <class T>
void pickByCounting(LaunchContext& c, const Sorting& s, const Picks& picks) {
    const Counts<T> counts = countLists<T>(c, s);
    launch(c, &pick_counted<T>, dim3(static_cast<unsigned>(s.lists.count)), dim3(CountingPolicy::kSumThreads), 0,
           static_cast<Wide*>(c.address(picks.output)), s.lists, counts, sharesOfPicks());
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
