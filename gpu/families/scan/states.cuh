// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tiles tell those after them: a sum of 32 bits and what it is, in one word, so that both are seen at once.

#include "gpu/families/scan/launching.cuh"
#include "gpu/kernels/publish.cuh"

#include <cstring>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

constexpr unsigned kNothing = 0, kOwn = 1, kUpTo = 2;

template <class Sum>
__device__ Wide stated(unsigned what, Sum sum) {
    static_assert(sizeof(Sum) == 4);
    unsigned bits;
    memcpy(&bits, &sum, sizeof bits);
    return Wide{what} << 32 | bits;
}
__device__ inline unsigned whatOf(Wide state) { return static_cast<unsigned>(state >> 32); }
template <class Sum>
__device__ Sum sumOf(Wide state) {
    const auto bits = static_cast<unsigned>(state);
    Sum sum;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/// Waits until the tile has said something. Tiles are numbered by tickets, so that all before one run or are done.
__device__ inline Wide heard(const Wide* at) {
    return waitUntil(at, [](Wide now) { return whatOf(now) != kNothing; });
}

/// The block's number among those that have begun, in the order in which they did. Takes the first word of dynamic
/// shared memory.
__device__ inline Wide drawTile(Wide* ticket) {
    Wide* const drawn = sharedSums<Wide>();
    if (threadIdx.x == 0) drawn[0] = atomicAdd(ticket, Wide{1});
    __syncthreads();
    return drawn[0];
}

/// Before each scan: no tile has said anything, and no ticket is drawn. The ticket is the first word.
template <class Word>
__global__ void forget(Word* states, Wide number) {
    const Wide at = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (at < number) states[at] = 0;
}

inline Wide* freshStates(LaunchContext& c, const Step& s, Wide tiles) {
    constexpr unsigned kThreads = 256;
    Wide* const states = static_cast<Wide*>(c.address(s.scratch));
    launch(c, &forget<Wide>, dim3(static_cast<unsigned>((tiles + kThreads) / kThreads)), dim3(kThreads), 0, states,
           tiles + 1);
    return states;
}

inline std::size_t statesBytes(std::uint64_t tiles) { return (tiles + 1) * sizeof(Wide); }

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

inline std::size_t stripedScratch(const Step& s, const TunableValues& t) {
    return statesBytes(tilesOf(s, std::uint64_t{blockWidthOf(t)} * StatesPolicy::kValues));
}

inline Footprint stripedFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t) * StatesPolicy::kValues, false);
}

/// Tiles are added one after another at worst.
inline double depthOfChain(double length) { return 64 + length / (32 * StatesPolicy::kValues); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
