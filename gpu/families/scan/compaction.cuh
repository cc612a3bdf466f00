// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places of marked values in one kernel: lanes vote, a tile learns how many come before it, and its places leave
// together.

#include "gpu/families/scan/quads.cuh"
#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct CompactionPolicy {
    /// Words of shared memory before the places: sums of warps, and behind them what comes before the tile.
    static constexpr unsigned kSums = 36;
};

/// Marks of a thread's quads, a bit each; how many of its warp come before each quad, and how many there are.
struct Marks {
    unsigned bits = 0, before[QuadPolicy::kQuads], ofWarp = 0;
};

template <class T>
__device__ Marks marksOf(const T* tile, unsigned size, unsigned first, bool whole, float level) {
    T raw[QuadPolicy::kQuads][4];
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) loadQuadOf(tile, size, first + q * 128, whole, raw[q]);
    const unsigned lanesBefore = (1U << threadIdx.x % 32) - 1;
    Marks marks;
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        marks.before[q] = marks.ofWarp;
#pragma unroll
        for (unsigned v = 0; v < 4; ++v) {
            const bool marked = static_cast<float>(raw[q][v]) > level && first + q * 128 + v < size;
            const unsigned all = __ballot_sync(kAllLanes, marked);
            marks.bits |= static_cast<unsigned>(marked) << (q * 4 + v);
            marks.before[q] += __popc(all & lanesBefore);
            marks.ofWarp += __popc(all);
        }
    }
    return marks;
}

template <class T>
__global__ void __launch_bounds__(1024)
    compact(const T* in, unsigned* kept, unsigned* counts, CompactionArguments p, unsigned tilesALine, Wide* states) {
    const auto [number, turn] = drawTile(states, Wide{tilesALine} * p.channels);
    __syncthreads();  // every thread has the number
    const unsigned tileValues = blockDim.x * QuadPolicy::kValues;
    const auto line = static_cast<unsigned>(number / tilesALine), tile = static_cast<unsigned>(number % tilesALine);
    const Wide firstOfTile = Wide{tile} * tileValues, at = line * p.count + firstOfTile;
    const unsigned size =
        p.count - firstOfTile < tileValues ? static_cast<unsigned>(p.count - firstOfTile) : tileValues;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned first = warp * QuadPolicy::kQuads * 128 + lane * 4;  // of this thread's quads, 128 apart
    const Marks marks = marksOf(in + at, size, first, size == tileValues && at % 4 == 0, p.level);

    unsigned* const ofWarps = sharedSums<unsigned>();
    unsigned* const places = ofWarps + CompactionPolicy::kSums;
    if (lane == 0) ofWarps[warp] = marks.ofWarp;
    __syncthreads();  // the sums of warps are there
    const unsigned upToWarp = warpInclusive(lane < warps ? ofWarps[lane] : 0U);
    const unsigned total = __shfl_sync(kAllLanes, upToWarp, 31);
    const unsigned upToThis = __shfl_sync(kAllLanes, upToWarp, static_cast<int>(warp));
    Wide* const own = states + StatesLayout::kFirst + number;
    if (threadIdx.x == 0) publish(own, packTileState(turn, tile == 0 ? kInclusive : kPartial, total));
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        unsigned place = upToThis - marks.ofWarp + marks.before[q];
#pragma unroll
        for (unsigned v = 0; v < 4; ++v)
            if ((marks.bits >> (q * 4 + v) & 1) != 0)
                places[place++] = static_cast<unsigned>(firstOfTile) + first + q * 128 + v;
    }
    if (warp == 0) {
        const unsigned before = tile > 0 ? lookBackByWarp<unsigned>(turn, own, tile) : 0;
        if (lane == 0) {
            if (tile > 0) publish(own, packTileState(turn, kInclusive, before + total));
            ofWarps[32] = before;
        }
    }
    __syncthreads();  // the places are there, and what comes before them
    const unsigned before = ofWarps[32];
    for (unsigned i = threadIdx.x; i < total; i += blockDim.x)
        // Where the trace leaves blocks out, sums may be anything.
        if (before + i < p.count) kept[line * p.count + before + i] = places[i];
    if (threadIdx.x == 0 && tile == tilesALine - 1) counts[line] = before + total;
}

inline unsigned compactTiles(const CompactionArguments& p, const TunableValues& t) {
    const auto tileValues = std::uint64_t{blockWidthOf(t)} * QuadPolicy::kValues;
    return static_cast<unsigned>((p.count + tileValues - 1) / tileValues);
}

inline std::size_t compactShared(io::PixelType, const TunableValues& t) {
    return (CompactionPolicy::kSums + std::size_t{blockWidthOf(t)} * QuadPolicy::kValues) * sizeof(unsigned);
}

inline void launchCompact(LaunchContext& c, const CompactionArguments& p, const TunableValues& t) {
    io::withSampleType(p.type, [&]<class T>(T) {
        const unsigned threads = blockWidthOf(t), tiles = compactTiles(p, t);
        launch(c, &compact<T>, dim3(tiles * static_cast<unsigned>(p.channels)), dim3(threads), compactShared(p.type, t),
               static_cast<const T*>(c.address(p.input)), static_cast<unsigned*>(c.address(p.kept)),
               static_cast<unsigned*>(c.address(p.counts)), p, tiles, statesOf(c, p.scratch));
    });
}

inline Footprint compactFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t) * QuadPolicy::kValues, true);
}

inline std::size_t compactScratch(const CompactionArguments& p, const TunableValues& t) {
    return statesBytes(std::uint64_t{compactTiles(p, t)} * static_cast<unsigned>(p.channels));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
