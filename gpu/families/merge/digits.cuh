// SPDX-License-Identifier: Apache-2.0
#pragma once

// Digits of 8 bits: a block finds for each of its values the place among them when they are ordered by one digit, and
// values of equal digits as they were.

#include "gpu/families/merge/launching.cuh"

#include <type_traits>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

constexpr unsigned kDigitBits = 8, kDigits = 1U << kDigitBits, kAllLanes = 0xffffffffU;

/// A value's bits, ordered as unsigned integers.
template <class O>
__device__ unsigned radixOf(const O& order, typename O::Value value) {
    constexpr unsigned kSign = std::is_signed_v<typename O::Key> ? 0x80000000U : 0;
    return static_cast<unsigned>(order.key(value)) ^ kSign;
}

template <class O>
__device__ unsigned digitOf(const O& order, typename O::Value value, unsigned shift) {
    return radixOf(order, value) >> shift & (kDigits - 1);
}

/// The lanes of the warp whose digit is this lane's own.
__device__ inline unsigned lanesWith(unsigned digit) {
    unsigned lanes = kAllLanes;
#pragma unroll
    for (unsigned bit = 0; bit < kDigitBits; ++bit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
        unsigned alike;  // four instructions a bit, where the compiler makes five
        asm volatile(
            "{.reg .pred set;\n"
            "and.b32 %0, %1, %2;\n"
            "setp.ne.u32 set, %0, 0;\n"
            "vote.sync.ballot.b32 %0, set, 0xffffffff;\n"
            "@!set not.b32 %0, %0;}"
            : "=r"(alike)
            : "r"(digit), "r"(1U << bit));
        lanes &= alike;
#else
        const bool set = (digit >> bit & 1) != 0;
        const unsigned with = __ballot_sync(kAllLanes, set);
        lanes &= set ? with : ~with;
#endif
    }
    return lanes;
}

/// Of a warp's values, item by item and lane by lane, how many before each have its digit. `counters`, the warp's own
/// in shared memory, are zero before and afterwards how many there are of each digit. digit(i) is that of item i.
template <unsigned kItems, class Digit>
__device__ void rankInWarp(unsigned* counters, unsigned (&rank)[kItems], Digit digit) {
    const unsigned lower = (1U << threadIdx.x % 32) - 1;
#pragma unroll
    for (unsigned i = 0; i < kItems; ++i) {
        unsigned* const counter = counters + digit(i);
        const unsigned peers = lanesWith(digit(i)), counted = *counter;
        const auto before = static_cast<unsigned>(__popc(peers & lower));
        __syncwarp();  // all have read
        if (before == 0) *counter = counted + static_cast<unsigned>(__popc(peers));
        __syncwarp();
        rank[i] = counted + before;
    }
}

__device__ inline unsigned warpUpTo(unsigned value) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        const unsigned other = __shfl_up_sync(kAllLanes, value, apart);
        if (lane >= apart) value += other;
    }
    return value;
}

/// The sum of `value` in all threads before this one, of the first 256; the others give 0 and get nothing useful. Has
/// a barrier; `ofWarps` are 8 words of shared memory that nobody uses before the next.
__device__ inline unsigned sumBefore(unsigned value, unsigned* ofWarps) {
    const unsigned warp = threadIdx.x / 32, upTo = warp < kDigits / 32 ? warpUpTo(value) : 0;
    if (threadIdx.x < kDigits && threadIdx.x % 32 == 31) ofWarps[warp] = upTo;
    __syncthreads();
    unsigned before = upTo - value;
#pragma unroll
    for (unsigned i = 0; i + 1 < kDigits / 32; ++i)
        if (i < warp) before += ofWarps[i];
    return before;
}

/// A block of kWarps warps, 8 at least, which has ranked its values: counters become the first place of each digit of
/// each warp. Thread d is told of digit d how many there are, told(count), and gets their first place. Barriers stand
/// before it, within and after it.
template <unsigned kWarps, class Told>
__device__ unsigned placeDigits(unsigned* counters, unsigned* ofWarps, Told told) {
    static_assert(kWarps >= kDigits / 32);
    unsigned* const mine = counters + threadIdx.x;
    unsigned count = 0;
    __syncthreads();
    if (threadIdx.x < kDigits) {
#pragma unroll
        for (unsigned warp = 0; warp < kWarps; ++warp) count += mine[warp * kDigits];
        told(count);
    }
    const unsigned first = sumBefore(count, ofWarps);
    if (threadIdx.x < kDigits) {
        unsigned place = first;
#pragma unroll
        for (unsigned warp = 0; warp < kWarps; ++warp) {
            const unsigned ofWarp = mine[warp * kDigits];
            mine[warp * kDigits] = place;
            place += ofWarp;
        }
    }
    __syncthreads();
    return first;
}

template <unsigned kThreads>
__device__ void clearCounters(unsigned* counters) {
#pragma unroll
    for (unsigned i = 0; i < kThreads / 32 * kDigits; i += kThreads) counters[i + threadIdx.x] = 0;
}

/// Lists that one block each sorts in shared memory, digit after digit.
struct BlockSort {
    static constexpr unsigned kThreads = 256, kWarps = kThreads / 32;
    static constexpr unsigned kFew = 8, kSome = 18, kMany = 32;  ///< values a thread
    static constexpr unsigned kLongest = kThreads * kMany;
    /// For a list of at most kLongest values.
    static constexpr unsigned itemsFor(std::uint64_t values) {
        return values <= kThreads * kFew ? kFew : values <= kThreads * kSome ? kSome : kMany;
    }
    static constexpr std::size_t sharedBytes(unsigned items, std::size_t valueBytes) {
        return (kWarps * kDigits + kDigits / 32) * sizeof(unsigned) + kThreads * items * valueBytes;
    }
};

/// What lies beyond the list's end takes part as the largest key behind all others.
template <class O, unsigned kItems>
__global__ void __launch_bounds__(BlockSort::kThreads)
    sort_list(O order, const typename O::Value* in, typename O::Value* out, Lists lists) {
    using Value = typename O::Value;
    auto* const counters = reinterpret_cast<unsigned*>(dynamicShared);
    unsigned* const ofWarps = counters + BlockSort::kWarps * kDigits;
    auto* const sorted = reinterpret_cast<Value*>(ofWarps + kDigits / 32);
    const auto length = static_cast<unsigned>(lists.length);
    const Wide at = lists.first + blockIdx.x * lists.stride;
    const unsigned warp = threadIdx.x / 32, first = warp * 32 * kItems + threadIdx.x % 32;
    unsigned* const mine = counters + warp * kDigits;
    Value values[kItems];
    unsigned rank[kItems];
#pragma unroll
    for (unsigned i = 0; i < kItems; ++i) {
        const unsigned place = first + i * 32;
        values[i] = order.value(place < length ? order.onlyNaN(order.key(in[at + place])) : O::kLargest);
    }
#pragma unroll 1
    for (unsigned shift = 0; shift < 8 * sizeof(Value); shift += kDigitBits) {
        const auto digit = [&](unsigned i) { return digitOf(order, values[i], shift); };
        clearCounters<BlockSort::kThreads>(counters);
        __syncthreads();
        rankInWarp(mine, rank, digit);
        placeDigits<BlockSort::kWarps>(counters, ofWarps, [](unsigned) {});
#pragma unroll
        for (unsigned i = 0; i < kItems; ++i) sorted[mine[digit(i)] + rank[i]] = values[i];
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < kItems; ++i) values[i] = sorted[first + i * 32];
    }
#pragma unroll
    for (unsigned i = 0; i < kItems; ++i)
        if (first + i * 32 < length) out[at + first + i * 32] = values[i];
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
