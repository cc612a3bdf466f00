// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tiles tell those after them: a sum of 32 bits and what it is, in one word, so that both are seen at once.

#include "gpu/families/scan/launching.cuh"
#include "gpu/kernels/publish.cuh"

#include <cstring>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

constexpr unsigned kInvalid = 0, kPartial = 1, kInclusive = 2;

/// Where the states of a scan's tiles are: behind the ticket. The number of the scan is part of each state, so that
/// what is left of earlier scans says nothing and is not cleared. Where each block draws one ticket it follows from
/// that; blocks that stay draw more, and have it in a word of its own.
struct StatesLayout {
    static constexpr unsigned kTicket = 0, kScan = 1, kFirst = 16;  ///< the ticket has a line of its own
};

template <class Sum>
__device__ Wide packTileState(unsigned scan, unsigned what, Sum sum) {
    static_assert(sizeof(Sum) == 4);
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    return Wide{scan << 2 | what} << 32 | bits;
}
__device__ inline unsigned statusOf(unsigned scan, Wide state) {
    const auto high = static_cast<unsigned>(state >> 32);
    return (high ^ scan << 2) < 4 ? high & 3 : kInvalid;
}
template <class Sum>
__device__ Sum sumOf(Wide state) {
    const auto bits = static_cast<unsigned>(state);
    Sum sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

// A state is all that its tile says: nothing else is published by it, so that neither side needs a fence.

__device__ inline void publish(Wide* to, Wide state) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(to), "l"(state) : "memory");
#else
    releaseStore(to, state);
#endif
}

/// What the tile has said, if that can be had without waiting: asked of many before any is heard.
__device__ inline Wide poll(const Wide* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    Wide state;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(state) : "l"(at) : "memory");
    return state;
#else
    (void)at;
    return 0;
#endif
}

/// Waits until the tile has said something. Tiles are numbered by tickets, so that all before one run or are done.
__device__ inline Wide waitForStatus(unsigned scan, const Wide* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    Wide state = poll(at);
    while (statusOf(scan, state) == kInvalid) {
        __nanosleep(32);  // leaves the memory to those who have something to say
        state = poll(at);
    }
    return state;
#else
    return waitUntil(at, [scan](Wide now) { return statusOf(scan, now) != kInvalid; });
#endif
}

struct TileTicket {
    Wide number;    ///< of the block among those of this scan that have begun, in the order in which they did
    unsigned scan;  ///< of how many since the states were made
};

/// For a block a tile. Tickets go on from scan to scan, so that nothing is to be reset before one. Takes the first two
/// words of dynamic shared memory, free again after the next barrier.
__device__ inline TileTicket drawTile(Wide* states, Wide tiles) {
    Wide* const drawn = sharedSums<Wide>();
    if (threadIdx.x == 0) {
        const Wide ticket = atomicAdd(states + StatesLayout::kTicket, Wide{1});
        const bool narrow = (ticket | tiles) >> 32 == 0;  // division of 64 bits is slow
        const Wide scan = narrow ? static_cast<unsigned>(ticket) / static_cast<unsigned>(tiles) : ticket / tiles;
        drawn[0] = ticket - scan * tiles;
        drawn[1] = scan;
    }
    __syncthreads();
    return {drawn[0], static_cast<unsigned>(drawn[1])};
}

inline Wide* statesOf(LaunchContext& c, std::uint64_t scratch) { return static_cast<Wide*>(c.address(scratch)); }

/// Before each scan by blocks that stay: no ticket is drawn, and what tiles said before does not count.
template <class Word>
__global__ void begin_scan(Word* states) {
    if (threadIdx.x > 0) return;
    states[StatesLayout::kTicket] = 0;
    states[StatesLayout::kScan] += 1;
}

/// The scratch, zero when it was made, as states of a scan that is yet to begin.
inline Wide* freshStates(LaunchContext& c, std::uint64_t scratch) {
    constexpr unsigned kThreads = 64;  // fewer would look like a multiprocessor that is not filled
    Wide* const states = statesOf(c, scratch);
    launch(c, &begin_scan<Wide>, dim3(1), dim3(kThreads), 0, states);
    return states;
}

inline std::size_t statesBytes(std::uint64_t states) { return (states + StatesLayout::kFirst) * sizeof(Wide); }

/// The sum up to the tile before this one: each lane asks other tiles, two at once, and the nearest sum from the start
/// ends it.
template <class Sum>
__device__ Sum lookBackByWarp(unsigned scan, const Wide* own, Wide tilesBefore) {
    constexpr unsigned kAsked = 2;
    const unsigned lane = threadIdx.x % 32;
    Sum before = 0;
    for (Wide from = lane + 1;; from += 32 * kAsked) {
        Wide said[kAsked];
        // Before the first tile there is nothing, which is a sum from the start.
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k)
            said[k] =
                from + 32 * k <= tilesBefore ? poll(own - (from + 32 * k)) : packTileState(scan, kInclusive, Sum{0});
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k) {
            if (statusOf(scan, said[k]) == kInvalid) said[k] = waitForStatus(scan, own - (from + 32 * k));
            const unsigned ends = __ballot_sync(kAllLanes, statusOf(scan, said[k]) == kInclusive);
            const unsigned last = ends == 0 ? 31 : __ffs(static_cast<int>(ends)) - 1;
            Sum sum = lane <= last ? sumOf<Sum>(said[k]) : Sum{0};
#pragma unroll
            for (unsigned apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(kAllLanes, sum, apart);
            before = sum + before;
            if (ends != 0) return before;
        }
    }
}

struct StatesPolicy {
    static constexpr unsigned kValues = 8;  ///< a thread
};

/// A block's values, striped over its threads, and their sums within the tile.
template <class Sum>
struct StripedSums {
    Sum inclusive[StatesPolicy::kValues], before[StatesPolicy::kValues], total = 0;

    __device__ void scan(const Scan<Sum>& scan, const Tile& tile) {
#pragma unroll
        for (unsigned i = 0; i < StatesPolicy::kValues; ++i)
            inclusive[i] = scan.load(tile, i * blockDim.x + threadIdx.x);
#pragma unroll
        for (unsigned i = 0; i < StatesPolicy::kValues; ++i) {
            const auto sums = blockScan(inclusive[i]);
            inclusive[i] = total + sums.inclusive;
            before[i] = total + sums.before;
            total += sums.total;
        }
    }
    __device__ void store(const Scan<Sum>& scan, const Tile& tile, Sum beforeTile) const {
#pragma unroll
        for (unsigned i = 0; i < StatesPolicy::kValues; ++i)
            scan.store(tile, i * blockDim.x + threadIdx.x, beforeTile + inclusive[i], beforeTile + before[i]);
    }
};

inline std::size_t stripedScratch(const ScanArguments& s, const TunableValues& t) {
    return statesBytes(tilesOf(s, std::uint64_t{blockWidthOf(t)} * StatesPolicy::kValues));
}

inline Footprint stripedFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t) * StatesPolicy::kValues, false);
}

/// Tiles are added one after another at worst.
inline double depthOfChain(double length) { return 64 + length / (32 * StatesPolicy::kValues); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
