// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decoupled look-back: what tiles tell those after them, a count of 32 bits and what it is in one word, so that both
// are seen at once and neither side needs a fence. The turn is part of each state: what is left of earlier turns says
// nothing and is not cleared.

#include "gpu/kernels/publish.cuh"

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

enum class TileStatus : unsigned { invalid, partial, inclusive };  ///< of a tile alone; of it and all before it

using TileState = unsigned long long;

struct TileCount {
    TileStatus what;
    unsigned count;
};

/// `turn` counts to 2^30 and begins anew.
__device__ inline TileState tileState(unsigned turn, TileStatus what, unsigned count) {
    return static_cast<TileState>(turn << 2 | static_cast<unsigned>(what)) << 32 | count;
}

__device__ inline TileCount tileCount(unsigned turn, TileState state) {
    const auto high = static_cast<unsigned>(state >> 32);
    return {(high ^ turn << 2) < 4 ? static_cast<TileStatus>(high & 3) : TileStatus::invalid,
            static_cast<unsigned>(state)};
}

__device__ inline void publish(TileState* to, TileState state) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(to), "l"(state) : "memory");
#else
    releaseStore(to, state);
#endif
}

/// What a tile has told, if that can be had without waiting: several are asked before the first is heard.
__device__ inline TileState poll(const TileState* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    TileState state;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(state) : "l"(at) : "memory");
    return state;
#else
    (void)at;
    return 0;
#endif
}

/// Waits until the tile has told something. Tiles are numbered by tickets, so that all before one run or are done.
__device__ inline TileCount waitForStatus(unsigned turn, const TileState* at) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    TileCount count = tileCount(turn, poll(at));
    while (count.what == TileStatus::invalid) count = tileCount(turn, poll(at));
    return count;
#else
    return tileCount(turn,
                     waitUntil(at, [turn](TileState now) { return tileCount(turn, now).what != TileStatus::invalid; }));
#endif
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
