// SPDX-License-Identifier: Apache-2.0
// Idea: warps stay and draw tiles from a queue until no tile has anything to do: one launch for the whole flood.
// Changed from tiled: a tile goes on as soon as its neighbour told it something, with no round to wait for.
// Needs: one colour; neighbours within the slice. A warp waits for its ticket's tile, which a running one brings, or
// the end. Block: block_width threads, a tile of 32 x 32 a warp, 4,224 bytes of shared memory each. Source: Gupta,
// Stuart and Owens, A Study of Persistent Threads Style GPU Programming, 2012; re-derived. Look at: from a tile to its
// neighbour: a store, a fence, a place in the queue and a load, all through the L2 cache.
#pragma once

#include "gpu/families/flood/bit_tile.cuh"
#include "gpu/kernels/publish.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

struct PersistentPolicy {
    static constexpr unsigned kWarps = 2112;  ///< that wait for tiles: 16 on each multiprocessor of an H200
    static constexpr unsigned kEnd = 0xffffffffU;
};

/// In scratch behind the marks. A place of the ring holds a tile's number and 1, 0 where it is free, or kEnd.
struct TileQueue {
    unsigned *tail, *unfinished;
    unsigned* told;  ///< of each tile how often it was told something since it was last flooded
    unsigned* ring;
    unsigned places, warps;

    __device__ void put(unsigned place, unsigned word) const {
        unsigned* const to = &ring[place % places];
        waitUntil(to, [](unsigned held) { return held == 0; });  // whoever drew the ticket before is about to free it
        releaseStore(to, word);
    }
    /// It joins the queue unless it is there, or being flooded by someone who will look again.
    __device__ void tell(unsigned tile) const {
        if (atomicAdd(&told[tile], 1U) > 0) return;
        atomicAdd(unfinished, 1U);
        put(atomicAdd(tail, 1U), tile + 1);
    }
    __device__ unsigned take(unsigned ticket) const {
        unsigned* const from = &ring[ticket % places];
        const unsigned word = waitUntil(from, [](unsigned held) { return held != 0; });
        releaseStore(from, 0U);
        return word;
    }
    __device__ void finish() const {
        if (atomicSub(unfinished, 1U) > 1) return;
        // Nobody is left to bring a tile: whoever waits, or will, holds one of the tickets that follow.
        const unsigned end = atomicAdd(tail, 0U);
        for (unsigned i = 0; i < warps; ++i) put(end + i, PersistentPolicy::kEnd);
    }
};

__global__ void persistent(Tiles tiles, TileQueue queue, Slot* slots, unsigned first, unsigned share) {
    const unsigned lane = threadIdx.x % kSide;
    unsigned* const levels = reinterpret_cast<unsigned*>(dynamicShared) + threadIdx.x / kSide * kTileWords;
    while (true) {
        unsigned word = PersistentPolicy::kEnd;
        if (lane == 0 && acquireLoad(queue.unfinished) > 0) {
            const unsigned ticket = atomicAdd(&slots[0].begin, 1U);
            if (ticket < share)
                word = queue.take(first + ticket);
            else
                relaxedStore(&slots[1].count, 1U);
        }
        word = __shfl_sync(kAllLanes, word, 0);
        if (word == PersistentPolicy::kEnd) return;
        BitTile tile(tiles, word - 1, levels);
        for (unsigned again = 1; again != 0;) {
            const unsigned told = __shfl_sync(kAllLanes, lane == 0 ? atomicAdd(&queue.told[word - 1], 0U) : 0U, 0);
            __threadfence();
            const unsigned sides = tile.flood();
            __threadfence();
            __syncwarp();
            if (lane == 0) {
                for (unsigned side = 0; side < 8; ++side)
                    if ((sides >> side & 1U) != 0) queue.tell(tile.neighbour(side));
                again = atomicSub(&queue.told[word - 1], told) - told;
            }
            again = __shfl_sync(kAllLanes, again, 0);
        }
        if (lane == 0) queue.finish();
    }
}

__global__ void clear_queue(TileQueue queue, unsigned tiles) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < tiles) queue.told[i] = 0;
    if (i < queue.places) queue.ring[i] = 0;
    if (i == 0) *queue.tail = *queue.unfinished = 0;
}

__global__ void queue_seeds(Tiles tiles, TileQueue queue, const unsigned* pixels, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned x = pixels[i] % tiles.width, row = pixels[i] / tiles.width, y = row % tiles.height;
    queue.tell((row / tiles.height * tiles.down + y / kSide) * tiles.across + x / kSide);
}

inline unsigned persistentWarps(const Flood& flood, const TunableValues& t) {
    const unsigned each = blockWidthOf(t) / kSide, tiles = tilesOf(flood);
    return blocksFor(tiles < PersistentPolicy::kWarps ? tiles : PersistentPolicy::kWarps, each) * each;
}

inline TileQueue queueIn(LaunchContext& c, const Flood& flood, const TunableValues& t) {
    unsigned* const words = static_cast<unsigned*>(c.address(flood.scratch)) + markWords(flood);
    const unsigned tiles = tilesOf(flood), warps = persistentWarps(flood, t);
    return {words, words + 1, words + 2, words + 2 + tiles, tiles + warps + 1, warps};
}

inline void beginPersistent(LaunchContext& c, const Flood& flood, const TunableValues& t) {
    constexpr unsigned kThreads = 256;
    launchMark(c, flood);
    const TileQueue queue = queueIn(c, flood, t);
    launch(c, &clear_queue, dim3(blocksFor(queue.places, kThreads)), dim3(kThreads), 0, queue, tilesOf(flood));
    launch(c, &queue_seeds, dim3(blocksFor(flood.seeds, kThreads)), dim3(kThreads), 0, tilesIn(c, flood), queue,
           static_cast<const unsigned*>(c.address(flood.seedPixels)), flood.seeds);
}

/// Each launch begins with the ticket after the last one's share.
inline void launchPersistent(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    const unsigned each = blockWidthOf(t) / kSide, first = batch.level * flood.share;
    launch(c, &persistent, dim3(persistentWarps(flood, t) / each), dim3(blockWidthOf(t)),
           each * kTileWords * sizeof(unsigned), tilesIn(c, flood), queueIn(c, flood, t),
           static_cast<Slot*>(c.address(flood.control)), first, flood.share);
}

inline std::size_t persistentScratch(const Flood& flood, const TunableValues& t) {
    return (markWords(flood) + 2 * std::size_t{tilesOf(flood)} + persistentWarps(flood, t) + 3) * sizeof(unsigned);
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
