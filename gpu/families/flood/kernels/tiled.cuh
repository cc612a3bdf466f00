// SPDX-License-Identifier: Apache-2.0
// Idea: a warp floods its tile to the end, in bits, before its neighbours hear of it; a round a launch.
// Changed from hybrid: a launch takes whole tiles further, not a level; levels that came too high are lowered later.
// Needs: one colour, so that who comes first does not matter. In volumes a block floods a box of 8 x 8 x 8.
// Block: block_width threads, a tile of 32 x 32 a warp, 4,224 bytes of shared memory each; 512 a box, 4,008 bytes.
// Source: Jeong and Whitaker, A Fast Iterative Method for Eikonal Equations, 2008 (tiles); bits re-derived.
// Look at: a level within a tile costs two shuffles and a vote, no memory that others see.
#pragma once

#include "gpu/families/flood/bit_tile.cuh"
#include "gpu/families/flood/box_tile.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

/// In scratch behind the marks: which tiles have something to do in rounds of even numbers, and in odd ones.
struct Rounds {
    unsigned* now;
    unsigned* next;
    Slot* after;
};

__global__ void wake_seeds(Tiles tiles, unsigned* flags, const unsigned* pixels, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned x = pixels[i] % tiles.width, row = pixels[i] / tiles.width, y = row % tiles.height;
    const unsigned slice = row / tiles.height;
    noteSeed(tiles, pixels[i]);
    relaxedStore(&flags[(slice * tiles.down + y / kSide) * tiles.across + x / kSide], 1U);
}

__global__ void clear_flags(unsigned* flags, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) flags[i] = 0;
}

__global__ void tiled(Tiles tiles, Rounds rounds) {
    const unsigned warp = threadIdx.x / kSide, number = blockIdx.x * (blockDim.x / kSide) + warp;
    if (number >= tiles.count() || rounds.now[number] == 0) return;
    __syncwarp();
    BitTile tile(tiles, number, reinterpret_cast<unsigned*>(dynamicShared) + warp * kTileWords);
    const unsigned sides = tile.flood();
    if (threadIdx.x % kSide > 0) return;
    rounds.now[number] = 0;
    for (unsigned side = 0; side < 8; ++side)
        if ((sides >> side & 1U) != 0) relaxedStore(&rounds.next[tile.neighbour(side)], 1U);
    if (sides != 0) relaxedStore(&rounds.after->count, 1U);
}

template <class F>
__global__ void wake_boxes(F field, Boxes boxes, unsigned* flags, const unsigned* pixels, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) relaxedStore(&flags[boxes.of(field, pixels[i])], 1U);
}

template <class F>
__global__ void tiled_volume(F field, Boxes boxes, Rounds rounds) {
    __shared__ unsigned levels[kWideValues], changed[2];
    if (rounds.now[blockIdx.x] == 0) return;
    BoxTile box(boxes, blockIdx.x, levels);
    box.load(field);
    box.spread(field.corners, changed);
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) rounds.now[blockIdx.x] = 0;
    box.tell(field, [&](unsigned pixel) {
        relaxedStore(&rounds.next[boxes.of(field, pixel)], 1U);
        relaxedStore(&rounds.after->count, 1U);
    });
}

/// Tiles or boxes, and where their flags lie: behind the marks of tiles.
inline unsigned unitsOf(const Flood& flood) { return flood.deep ? boxesOf(flood).count() : tilesOf(flood); }
inline std::size_t marksBefore(const Flood& flood) { return flood.deep ? 0 : markWords(flood); }

inline unsigned* flagsIn(LaunchContext& c, const Flood& flood) {
    return static_cast<unsigned*>(c.address(flood.scratch)) + marksBefore(flood);
}

inline void beginTiled(LaunchContext& c, const Flood& flood, const TunableValues&) {
    constexpr unsigned kThreads = 256;
    unsigned* const flags = flagsIn(c, flood);
    const auto* const seeds = static_cast<const unsigned*>(c.address(flood.seedPixels));
    const dim3 forSeeds(blocksFor(flood.seeds, kThreads));
    launch(c, &clear_flags, dim3(blocksFor(2 * unitsOf(flood), kThreads)), dim3(kThreads), 0, flags,
           2 * unitsOf(flood));
    if (flood.deep)
        return dispatchType<unsigned>(c, flood, [&]<class F>(F field) {
            launch(c, &wake_boxes<F>, forSeeds, dim3(kThreads), 0, field, boxesOf(flood), flags, seeds, flood.seeds);
        });
    launchMark(c, flood);
    launch(c, &wake_seeds, forSeeds, dim3(kThreads), 0, tilesIn(c, flood), flags, seeds, flood.seeds);
}

inline void launchTiled(LaunchContext& c, const Flood& flood, const Batch& batch, const TunableValues& t) {
    const unsigned warps = blockWidthOf(t) / kSide, units = unitsOf(flood);
    unsigned* const flags = flagsIn(c, flood);
    Slot* const slots = static_cast<Slot*>(c.address(flood.control));
    for (unsigned i = 0; i < batch.launches; ++i) {
        const unsigned odd = (batch.level + i) % 2;
        const Rounds rounds{flags + odd * units, flags + (1 - odd) * units, slots + i + 1};
        if (flood.deep)
            dispatchType<unsigned>(c, flood, [&]<class F>(F field) {
                launch(c, &tiled_volume<F>, dim3(units), dim3(kBox, kBox, kBox), 0, field, boxesOf(flood), rounds);
            });
        else
            launch(c, &tiled, dim3(blocksFor(units, warps)), dim3(blockWidthOf(t)),
                   warps * kTileWords * sizeof(unsigned), tilesIn(c, flood), rounds);
    }
}

inline std::size_t tiledScratch(const Flood& flood, const TunableValues&) {
    return (marksBefore(flood) + 2 * std::size_t{unitsOf(flood)}) * sizeof(unsigned);
}

KernelEntry tiled_entry() {
    return {.relax = &launchTiled, .begin = &beginTiled, .scratchBytes = &tiledScratch, .footprint = &bitTileFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
