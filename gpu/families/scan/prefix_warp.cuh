// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks that stay: what one of their warps does, which draws tiles, tells what they hold and finds what comes before.

#include "gpu/families/scan/states.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

/// 16 bytes into shared memory: under way where the GPU can do that, else at once.
__device__ inline void bringPack(float* to, const float* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
#else
    copyAsync(to, from);
#endif
}

/// What tiles from `from` up to `to` have said, all lanes at once.
template <class Sum>
__device__ Sum sumPublished(unsigned scan, const Wide* states, unsigned from, unsigned to) {
    constexpr unsigned kAsked = 4;
    Sum sum = 0;
    for (unsigned first = from + threadIdx.x % 32; first < to; first += 32 * kAsked) {
        Wide said[kAsked];
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k)
            said[k] = first + 32 * k < to ? poll(states + first + 32 * k) : packTileState(scan, kPartial, Sum{0});
#pragma unroll
        for (unsigned k = 0; k < kAsked; ++k) {
            if (statusOf(scan, said[k]) == kInvalid) said[k] = waitForStatus(scan, states + first + 32 * k);
            sum += sumOf<Sum>(said[k]);
        }
    }
    __syncwarp();
#pragma unroll
    for (unsigned apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(kAllLanes, sum, apart);
    return sum;
}

/// What the block's warps tell one another. Tile i of the block stands in place i modulo each ring.
template <class P, class Sum>
struct ScoutBoard {
    unsigned tickets[P::kTickets];
    unsigned scan;
    Sum ofWarps[P::kRing][32];  ///< sums of warps; once the tile was told, what comes before each in the tile
    Sum beforeTile[2];
};

/// The warp that tells what the block's tiles hold, and finds what comes before them.
template <class P, class Sum>
struct PrefixWarp {
    ScoutBoard<P, Sum>& board;
    Wide* states;
    unsigned tiles, tilesALine;
    unsigned share;     ///< tiles of a block at most: a sample of blocks stands for all
    unsigned upTo = 0;  ///< the tile before which all is in `carry`
    Sum carry = 0;

    __device__ void draw(unsigned i) const {
        if (threadIdx.x % 32 != 0) return;
        unsigned drawn = tiles;
        if (i < share) drawn = static_cast<unsigned>(atomicAdd(states + StatesLayout::kTicket, Wide{1}));
        board.tickets[i % P::kTickets] = drawn;
    }
    /// Draws for tiles 0 to `last`, and finds out which scan this is.
    __device__ void begin(unsigned last) const {
        // One after another: all at once they would be neighbours, and this block's tiles wait for one another.
#pragma unroll 1
        for (unsigned i = 0; i <= last; ++i) {
            draw(i);
            __syncwarp();
        }
        if (threadIdx.x % 32 == 0) board.scan = static_cast<unsigned>(states[StatesLayout::kScan]);
    }
    __device__ unsigned tile(unsigned i) const { return board.tickets[i % P::kTickets]; }
    __device__ void tell(unsigned i) const {
        const unsigned lane = threadIdx.x % 32, number = tile(i);
        if (number >= tiles) return;
        Sum* const ofWarps = board.ofWarps[i % P::kRing];
        const Sum mine = lane < P::kWarps ? ofWarps[lane] : Sum{0}, upToWarp = warpInclusive(mine);
        if (lane == 31) publish(states + StatesLayout::kFirst + number, packTileState(board.scan, kPartial, upToWarp));
        const Sum before = __shfl_up_sync(kAllLanes, upToWarp, 1);
        __syncwarp();
        if (lane < P::kWarps) ofWarps[lane] = lane == 0 ? Sum{0} : before;
    }
    __device__ void find(unsigned i) {
        const unsigned number = tile(i);
        if (number >= tiles) return;
        const unsigned line = tilesALine == tiles ? 0 : number / tilesALine * tilesALine;
        if (upTo <= line) {
            upTo = line;
            carry = 0;
        }
        carry += sumPublished<Sum>(board.scan, states + StatesLayout::kFirst, upTo, number);
        upTo = number;
        if (threadIdx.x % 32 == 0) board.beforeTile[i % 2] = carry;
    }
};

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
