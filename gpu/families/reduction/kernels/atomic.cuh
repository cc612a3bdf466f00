// SPDX-License-Identifier: Apache-2.0
// Idea: one thread takes one value and adds it to the one result of the picture, by atomics in global memory.
// Changed: nothing, this is where the ladder starts.
// Needs: at most 2^32 values per channel; a place and its value share 64 bits, so that one atomic keeps both. A
// comparison keeps no places.
// Block: block_width threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 10.3 (why not this way).
// Look at: the atomics: all threads of the grid meet at the same few words.
#pragma once

#include "gpu/families/reduction/launching.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

/// The result while it is made: zeros say that there is none yet.
struct AtomicStatistics {
    Wide lowest, highest;  ///< keys, the larger the better: value, then the earlier place
    Wide nan, integers[2];
    double sums[3];
};

struct AtomicComparison {
    Wide lowest, highest;  ///< ranks of the finite values compared with, of the lowest its complement
    Wide largest;          ///< |a - b|; of floats its bits, which rise with it
    Wide mismatches, nan, integers[3];
    double sums[3];
};

template <class M>
using AtomicResult = std::conditional_t<M::kPairs, AtomicComparison, AtomicStatistics>;

/// Rises with the value; 32 bits, not 0.
__device__ inline std::uint32_t rankOf(float value) {
    value += 0.0F;  // -0 is 0
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000U;
}
__device__ inline float valueOfRank(std::uint32_t rank) {
    const std::uint32_t bits = rank >> 31 ? rank & 0x7fffffffU : ~rank;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Values a launch: every one waits for its turn, and a launch must not outlast a wish to stop.
constexpr std::uint64_t kAtomicLaunch = std::uint64_t{1} << 24;

template <class M>
__device__ void addAtomically(M in, Wide at, AtomicStatistics* result) {
    const auto value = in.data[at];
    std::uint32_t rank;
    if constexpr (M::kFloats) {
        if (value != value) {
            atomicAdd(&result->nan, Wide{1});
            return;
        }
        const double off = static_cast<double>(value) - static_cast<double>(in.pivot);
        atomicAdd(&result->sums[0], static_cast<double>(value));
        atomicAdd(&result->sums[1], off);
        atomicAdd(&result->sums[2], off * off);
        rank = rankOf(value);
    } else {
        rank = value;
        atomicAdd(&result->integers[0], Wide{rank});
        atomicAdd(&result->integers[1], Wide{rank * rank});
    }
    const Wide early = 0xffffffffU - at;
    atomicMax(&result->lowest, Wide{~rank} << 32 | early);
    atomicMax(&result->highest, Wide{rank} << 32 | early);
}

/// A pair's own cell, word by word.
template <class M>
__device__ void addAtomically(M in, Wide at, AtomicComparison* result) {
    typename M::Cell pair;
    in.add(pair, at);
    if (pair.mismatches != 0) atomicAdd(&result->mismatches, Wide{1});
    if constexpr (M::kFloats) {
        if (pair.high - pair.high == 0) {  // finite
            atomicMax(&result->lowest, Wide{~rankOf(pair.low)});
            atomicMax(&result->highest, Wide{rankOf(pair.high)});
        }
        if (pair.nan != 0) {
            atomicAdd(&result->nan, Wide{1});
            return;
        }
        std::uint32_t bits;
        memcpy(&bits, &pair.largest, sizeof bits);
        atomicMax(&result->largest, Wide{bits});
        for (int i = 0; i < 3; ++i) atomicAdd(&result->sums[i], pair.sums[i]);
    } else {
        atomicMax(&result->largest, pair.largest);
        atomicAdd(&result->integers[0], pair.dot);
        atomicAdd(&result->integers[1], pair.magnitude);
        atomicAdd(&result->integers[2], pair.squares);
    }
}

template <class M>
__global__ void atomic(M in, Wide first, AtomicResult<M>* result) {
    const Wide at = first + Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (at < in.count) addAtomically(in, at, result);
}

template <class M>
__device__ void unpackInto(typename M::Cell& cell, const AtomicStatistics& from) {
    const auto rankOfKey = [](Wide key) { return static_cast<std::uint32_t>(key >> 32); };
    const auto placeOfKey = [](Wide key) { return Wide{0xffffffffU - static_cast<std::uint32_t>(key)}; };
    if constexpr (M::kFloats) {
        cell.nan = from.nan;
        for (int i = 0; i < 3; ++i) cell.sums[i] = from.sums[i];
    } else {
        cell.sum = from.integers[0];
        cell.squares = from.integers[1];
    }
    if (from.lowest == 0 && from.highest == 0) return;
    const std::uint32_t least = ~rankOfKey(from.lowest), most = rankOfKey(from.highest);
    if constexpr (M::kFloats) {
        cell.minimum = valueOfRank(least);
        cell.maximum = valueOfRank(most);
    } else {
        cell.minimum = least;
        cell.maximum = most;
    }
    cell.minimumAt = placeOfKey(from.lowest);
    cell.maximumAt = placeOfKey(from.highest);
}

template <class M>
__device__ void unpackInto(typename M::Cell& cell, const AtomicComparison& from) {
    cell.mismatches = from.mismatches;
    if constexpr (M::kFloats) {
        cell.nan = from.nan;
        const auto bits = static_cast<std::uint32_t>(from.largest);
        memcpy(&cell.largest, &bits, sizeof bits);
        for (int i = 0; i < 3; ++i) cell.sums[i] = from.sums[i];
        if (from.highest == 0) return;  // nothing finite
        cell.low = valueOfRank(~static_cast<std::uint32_t>(from.lowest));
        cell.high = valueOfRank(static_cast<std::uint32_t>(from.highest));
    } else {
        cell.largest = from.largest;
        cell.dot = from.integers[0];
        cell.magnitude = from.integers[1];
        cell.squares = from.integers[2];
    }
}

/// Makes a cell of it, and zeros for the next launch.
template <class M>
__global__ void unpack(AtomicResult<M>* from, typename M::Cell* to) {
    typename M::Cell cell;
    unpackInto<M>(cell, *from);
    storeCell(to, cell);
    storeCell(from, AtomicResult<M>{});
}

inline void launchAtomic(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        auto* const made = static_cast<AtomicResult<M>*>(c.address(a.scratch));
        const unsigned threads = blockWidthOf(t);
        for (std::uint64_t first = 0; first < a.count; first += kAtomicLaunch) {
            const auto values = std::min(kAtomicLaunch, a.count - first);
            launch(c, &atomic<M>, dim3(static_cast<unsigned>((values + threads - 1) / threads)), dim3(threads), 0,
                   measured<M>(c, a), Wide{first}, made);
        }
        auto* const result =
            reinterpret_cast<typename M::Cell*>(static_cast<char*>(c.address(a.result)) + a.resultOffset);
        launch(c, &unpack<M>, dim3(1), dim3(1), 0, made, result);
    });
}

inline std::size_t atomicScratch(const Arguments&, const TunableValues&) {
    return std::max(sizeof(AtomicStatistics), sizeof(AtomicComparison));
}

KernelEntry atomic_entry() {
    return {.launch = &launchAtomic,
            .footprint = &footprintOfElements,
            .scratchBytes = &atomicScratch,
            .compares = true,
            .clearScratch = true,
            .sameBits = SameBits::no,
            .mostValues = std::uint64_t{1} << 32};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
