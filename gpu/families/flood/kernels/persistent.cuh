// SPDX-License-Identifier: Apache-2.0
// Idea: warps stay and draw tiles from a queue until no tile has anything to do: one launch for the whole flood.
// Changed from tiled: a tile goes on as soon as its neighbour told it something, with no round to wait for.
// Needs: one colour; neighbours within the slice. A warp waits for its ticket's tile, which a running warp brings.
// Block: block_width threads, a tile of 32 x 32 per warp, 4,224 bytes of shared memory each.
// Source: Gupta, Stuart and Owens, A Study of Persistent Threads Style GPU Programming, 2012; re-derived.
// Look at: from a tile to its neighbour: a store, a fence, a place in the queue and a load, all through the L2 cache.
#pragma once

#include "gpu/families/flood/bit_tile.cuh"
#include "gpu/kernels/publish.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

struct PersistentPolicy {
    static constexpr unsigned kWarps = 1056;  ///< that wait for tiles: 8 on each multiprocessor of an H200
    static constexpr unsigned kEnd = 0xffffffffU;
};

/// In scratch behind the marks. Two of them, as what a launch leaves over is carried to the other one for the next.
struct TileQueue {
    unsigned *tail, *finished;  ///< tiles that joined it, and those that are done
    unsigned* places;           ///< a tile's number and 1, 0 where none has come yet, or kEnd
    unsigned* told;             ///< of each tile how often it was told something since it was last flooded
    unsigned share, warps, length;

    /// Whoever tells a tile that nobody floods, and that does not wait for it, has it join.
    __device__ void tell(unsigned tile) const {
        if (atomicAdd(&told[tile], 1U) == 0) releaseStore(&places[atomicAdd(tail, 1U)], tile + 1);
    }
    __device__ void finish() const {
        const unsigned done = atomicAdd(finished, 1U) + 1, end = atomicAdd(tail, 0U);
        if (done != end) return;
        // Nobody is left to bring a tile: whoever waits, or will, holds one of the tickets that follow.
        for (unsigned i = 0; i < warps; ++i) releaseStore(&places[end + i], PersistentPolicy::kEnd);
    }
};

/// Floods a tile until nobody told it anything meanwhile, and has those neighbours flooded that now have something to
/// do.
__device__ inline void floodTile(const Tiles& tiles, const TileQueue& queue, unsigned number, unsigned* levels) {
    const unsigned lane = threadIdx.x % kSide;
    BitTile tile(tiles, number, levels);
    for (unsigned again = 1; again != 0;) {
        const unsigned told = __shfl_sync(kAllLanes, lane == 0 ? acquireLoad(&queue.told[number]) : 0U, 0);
        const unsigned sides = tile.flood();
        __threadfence();
        __syncwarp();
        if (lane < 8 && (sides >> lane & 1U) != 0) queue.tell(tile.neighbour(lane));
        __syncwarp();
        again = __shfl_sync(kAllLanes, lane == 0 ? atomicSub(&queue.told[number], told) - told : 0U, 0);
    }
}

__global__ void persistent(Tiles tiles, TileQueue queue, Slot* slots) {
    const unsigned lane = threadIdx.x % kSide;
    unsigned* const levels = reinterpret_cast<unsigned*>(dynamicShared) + threadIdx.x / kSide * kTileWords;
    // In this order: what is finished cannot get ahead of what joined.
    unsigned done = 0;
    if (lane == 0) {
        const unsigned finished = acquireLoad(queue.finished);
        done = finished == acquireLoad(queue.tail) ? 1 : 0;
    }
    if (__shfl_sync(kAllLanes, done, 0) != 0) return;
    while (true) {
        unsigned word = PersistentPolicy::kEnd;
        if (lane == 0) {
            const unsigned ticket = atomicAdd(&slots[0].begin, 1U);
            if (ticket < queue.share)
                word = waitUntil(&queue.places[ticket], [](unsigned held) { return held != 0; });
            else
                relaxedStore(&slots[1].count, 1U);
        }
        word = __shfl_sync(kAllLanes, word, 0);
        if (word == PersistentPolicy::kEnd) return;
        floodTile(tiles, queue, word - 1, levels);
        if (lane == 0) queue.finish();
    }
}

__global__ void clear_told(unsigned* told, unsigned tiles) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) told[i] = 0;
}

/// What was not begun stands first in the next launch's queue.
__global__ void carry(TileQueue from, TileQueue to, bool fresh) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= to.length) return;
    const unsigned left = fresh || *from.tail < from.share ? 0 : *from.tail - from.share;
    to.places[i] = i < left ? from.places[from.share + i] : 0;
    if (i > 0) return;
    *to.tail = left;
    *to.finished = 0;
}

__global__ void queue_seeds(Tiles tiles, TileQueue queue, const unsigned* pixels, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned x = pixels[i] % tiles.width, row = pixels[i] / tiles.width, y = row % tiles.height;
    noteSeed(tiles, pixels[i]);
    queue.tell((row / tiles.height * tiles.down + y / kSide) * tiles.across + x / kSide);
}

inline unsigned persistentWarps(const Flood& flood, const TunableValues& t) {
    const unsigned each = blockWidthOf(t) / kSide, tiles = tilesOf(flood);
    return blocksFor(tiles < PersistentPolicy::kWarps ? tiles : PersistentPolicy::kWarps, each) * each;
}

inline unsigned queueLength(const Flood& flood, const TunableValues& t) {
    return flood.share + tilesOf(flood) + persistentWarps(flood, t);
}

inline TileQueue queueIn(LaunchContext& c, const Flood& flood, unsigned odd, const TunableValues& t) {
    unsigned* const told = static_cast<unsigned*>(c.address(flood.scratch)) + markWords(flood);
    const unsigned length = queueLength(flood, t);
    unsigned* const words = told + tilesOf(flood) + std::size_t{odd} * (length + 2);
    return {words, words + 1, words + 2, told, flood.share, persistentWarps(flood, t), length};
}

constexpr unsigned kCarryThreads = 256;

inline void launchCarry(LaunchContext& c, const Flood& flood, unsigned odd, bool fresh, const TunableValues& t) {
    launch(c, &carry, dim3(blocksFor(queueLength(flood, t), kCarryThreads)), dim3(kCarryThreads), 0,
           queueIn(c, flood, 1 - odd, t), queueIn(c, flood, odd, t), fresh);
}

inline void beginPersistent(LaunchContext& c, const Flood& flood, const TunableValues& t) {
    launchMark(c, flood);
    const TileQueue queue = queueIn(c, flood, 0, t);
    launch(c, &clear_told, dim3(blocksFor(tilesOf(flood), kCarryThreads)), dim3(kCarryThreads), 0, queue.told,
           tilesOf(flood));
    launchCarry(c, flood, 0, true, t);
    launch(c, &queue_seeds, dim3(blocksFor(flood.seeds, kCarryThreads)), dim3(kCarryThreads), 0, tilesIn(c, flood),
           queue, static_cast<const unsigned*>(c.address(flood.seedPixels)), flood.seeds);
}

inline void launchPersistent(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    const unsigned each = blockWidthOf(t) / kSide, odd = batch.level % 2;
    if (batch.level > 0) launchCarry(c, flood, odd, false, t);
    launch(c, &persistent, dim3(persistentWarps(flood, t) / each), dim3(blockWidthOf(t)),
           each * kTileWords * sizeof(unsigned), tilesIn(c, flood), queueIn(c, flood, odd, t),
           static_cast<Slot*>(c.address(flood.control)));
}

inline std::size_t persistentScratch(const Flood& flood, const TunableValues& t) {
    return (markWords(flood) + tilesOf(flood) + 2 * (std::size_t{queueLength(flood, t)} + 2)) * sizeof(unsigned);
}

KernelEntry persistent_entry() {
    return {.relax = &launchPersistent,
            .begin = &beginPersistent,
            .alone = true,
            .scratchBytes = &persistentScratch,
            .footprint = &bitTileFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
