// SPDX-License-Identifier: Apache-2.0
#pragma once

// Places of marked values by blocks that stay: a tile is marked and told as soon as it has arrived, after which its
// values are not needed any more and the next one takes their room; its places leave when its turn comes.

#include "gpu/families/scan/prefix_warp.cuh"
#include "gpu/families/scan/quads.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <unsigned kWarpsOf, unsigned kWordsOf, unsigned kUnderWayOf, unsigned kAheadOf, unsigned kBlocksOf>
struct PickingShape {
    static constexpr unsigned kWarps = kWarpsOf;
    static constexpr unsigned kWords = kWordsOf, kQuads = 4 * kWords;  ///< of a lane: marks of four quads are a word
    static constexpr unsigned kUnderWay = kUnderWayOf;                 ///< tiles that arrive in shared memory
    static constexpr unsigned kAhead = kAheadOf;                       ///< tiles that are marked before their turn
    static constexpr unsigned kBlocks = kBlocksOf;                     ///< a multiprocessor
    static constexpr unsigned kThreads = 32 * (kWarps + 1), kOfWarp = 128 * kQuads, kTile = kWarps * kOfWarp;
    static constexpr unsigned kRing = kAhead + 1, kTickets = kUnderWay + kAhead + 2;
    static_assert(kAhead > 1);  // a tile is told in the step before its turn
};

template <class P>
struct alignas(16) PickingBoard : ScoutBoard<P, unsigned> {
    alignas(16) unsigned places[P::kWarps][P::kOfWarp + 4];
    unsigned marks[P::kRing][P::kWords][P::kWarps * 32];  ///< of a lane's four quads, a byte each
};

template <class P, class T>
constexpr std::size_t kPickingBytes = sizeof(PickingBoard<P>) + sizeof(T) * P::kTile* P::kUnderWay;

/// One of the warps that bring, mark and store.
template <class P, class T>
struct Picker {
    const T* in;
    unsigned *kept, *counts;
    const CompactionArguments& p;
    unsigned tilesALine, tiles;
    PickingBoard<P>& board;
    T* stages;

    struct Part {
        Wide line, first;  ///< first value of its channel in memory; its own place there
        unsigned tile, size;
    };

    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned warp() { return threadIdx.x / 32; }
    __device__ unsigned number(unsigned i) const { return board.tickets[i % P::kTickets]; }
    __device__ T* segment(unsigned i) const { return stages + i % P::kUnderWay * P::kTile + warp() * P::kOfWarp; }
    __device__ Part part(unsigned number) const {
        const unsigned line = tiles == tilesALine ? 0 : number / tilesALine, tile = number - line * tilesALine;
        const Wide first = Wide{tile} * P::kTile, left = p.count - first;
        return {line * p.count, first, tile, left < P::kTile ? static_cast<unsigned>(left) : P::kTile};
    }

    __device__ void bring(unsigned i) const {
        if (number(i) < tiles) {
            const Part t = part(number(i));
            const T* const from = in + t.line + t.first;
            T* const to = segment(i);
            if (t.size == P::kTile && (t.line + t.first) % (16 / sizeof(T)) == 0) {
                constexpr unsigned kPack = 16 / sizeof(T);
#pragma unroll
                for (unsigned at = lane() * kPack; at < P::kOfWarp; at += 32 * kPack)
                    bringPack(reinterpret_cast<float*>(to + at),
                              reinterpret_cast<const float*>(from + warp() * P::kOfWarp + at));
            } else {
                for (unsigned at = lane(); at < P::kOfWarp; at += 32) {
                    const unsigned inTile = warp() * P::kOfWarp + at;
                    to[at] = inTile < t.size ? from[inTile] : T{0};
                }
            }
        }
        commitCopies();
    }
    /// A byte a quad of the tile's word w, a bit a value.
    __device__ unsigned marksOf(const T* from, unsigned w, unsigned size) const {
        unsigned bits = 0;
#pragma unroll
        for (unsigned q = 0; q < 4; ++q) {
            T raw[4];
            loadQuad(from + (4 * w + q) * 128, raw);
            const unsigned first = warp() * P::kOfWarp + (4 * w + q) * 128 + lane() * 4;
#pragma unroll
            for (unsigned v = 0; v < 4; ++v)
                if (static_cast<float>(raw[v]) > p.level && (size == P::kTile || first + v < size))
                    bits |= 1U << (8 * q + v);
        }
        return bits;
    }
    /// Once this tile's copies have arrived.
    __device__ void mark(unsigned i) const {
        __syncwarp();
        if (number(i) < tiles) {
            const unsigned size = part(number(i)).size;
            unsigned sum = 0;
#pragma unroll
            for (unsigned w = 0; w < P::kWords; ++w) {
                const unsigned bits = marksOf(segment(i) + lane() * 4, w, size);
                board.marks[i % P::kRing][w][threadIdx.x] = bits;
                sum += __popc(bits);
            }
#pragma unroll
            for (unsigned apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(kAllLanes, sum, apart);
            if (lane() == 0) board.ofWarps[i % P::kRing][warp()] = sum;
        }
        __syncwarp();  // all have read the segment
    }
    /// The warp's places go side by side into shared memory, from `start` on; returns where they end.
    __device__ unsigned gather(unsigned i, unsigned first, unsigned start) const {
        unsigned* const places = board.places[warp()];
#pragma unroll
        for (unsigned w = 0; w < P::kWords; ++w) {
            const unsigned bits = board.marks[i % P::kRing][w][threadIdx.x];
            // How many each byte has, which the lanes up to this one add up four at once: 128 at most.
            const unsigned pairs = bits - (bits >> 1 & 0x55555555U),
                           own = (pairs & 0x33333333U) + (pairs >> 2 & 0x33333333U);
            const unsigned upTo = warpInclusive(own), all = __shfl_sync(kAllLanes, upTo, 31);
#pragma unroll
            for (unsigned q = 0; q < 4; ++q) {
                unsigned place = start + ((upTo - own) >> 8 * q & 255U);
#pragma unroll
                for (unsigned v = 0; v < 4; ++v)
                    if ((bits >> (8 * q + v) & 1U) != 0) places[place++] = first + (4 * w + q) * 128 + v;
                start += all >> 8 * q & 255U;
            }
        }
        return start;
    }
    __device__ void store(unsigned i) const {
        const Part t = part(number(i));
        const unsigned before = board.beforeTile[i % 2] + board.ofWarps[i % P::kRing][warp()];
        unsigned* const to = kept + t.line + before;
        const auto odd = static_cast<unsigned>((t.line + before) % 4);
        const auto first = static_cast<unsigned>(t.first) + warp() * P::kOfWarp + lane() * 4;
        const unsigned end = gather(i, first, odd);
        __syncwarp();  // the places are there
        const unsigned* const places = board.places[warp()];
        for (unsigned at = lane() * 4; at < end; at += 128) {
            // Where the trace leaves blocks out, sums may be anything.
            if (at >= odd && at + 4 <= end && Wide{before} + at + 4 <= p.count) {
                *reinterpret_cast<float4*>(to + at - odd) = *reinterpret_cast<const float4*>(places + at);
            } else {
                for (unsigned v = at; v < at + 4; ++v)
                    if (v >= odd && v < end && Wide{before} + v - odd < p.count) to[v - odd] = places[v];
            }
        }
        if (threadIdx.x == 32 * P::kWarps - 1 && t.tile == tilesALine - 1)
            counts[number(i) / tilesALine] = before + end - odd;
        __syncwarp();  // and gone, before others take their room
    }
};

template <class P, class T>
__global__ void __launch_bounds__(P::kThreads, P::kBlocks)
    carried_places(const T* in, unsigned* kept, unsigned* counts, CompactionArguments p, unsigned tilesALine,
                   Wide* states) {
    auto& board = *reinterpret_cast<PickingBoard<P>*>(dynamicShared);
    const unsigned tiles = tilesALine * static_cast<unsigned>(p.channels);
    const bool scouts = threadIdx.x / 32 == P::kWarps;
    PrefixWarp<P, unsigned> scout{board, states, tiles, tilesALine, (tiles + gridDim.x - 1) / gridDim.x};
    const Picker<P, T> picker{in, kept, counts, p, tilesALine, tiles, board, reinterpret_cast<T*>(&board + 1)};
    if (scouts) scout.begin(P::kUnderWay + P::kAhead);
    __syncthreads();  // the first tickets are there
    if (!scouts) {
        for (unsigned i = 0; i < P::kUnderWay; ++i) picker.bring(i);
        for (unsigned i = 0; i < P::kAhead; ++i) {
            awaitCopies<P::kUnderWay - 1>();
            picker.mark(i);
            picker.bring(i + P::kUnderWay);
        }
    }
    __syncthreads();  // the first marks are there
    if (scouts) {
        for (unsigned i = 0; i + 1 < P::kAhead; ++i) scout.tell(i);
        scout.find(0);
    }
    __syncthreads();  // and what comes before the first tile
    for (unsigned i = 0; picker.number(i) < tiles; ++i) {
        if (scouts) {
            scout.tell(i + P::kAhead - 1);
            scout.draw(i + P::kUnderWay + P::kAhead + 1);
            scout.find(i + 1);
        } else {
            picker.store(i);
            awaitCopies<P::kUnderWay - 1>();
            picker.mark(i + P::kAhead);
            picker.bring(i + P::kAhead + P::kUnderWay);
        }
        __syncthreads();
    }
}

template <class T>
using PickingPolicy =
    std::conditional_t<sizeof(T) == 4, PickingShape<31, 1, 2, 4, 1>,
                       std::conditional_t<sizeof(T) == 2, PickingShape<16, 2, 3, 4, 1>, PickingShape<16, 2, 4, 5, 1>>>;

template <class T>
unsigned pickingTiles(const CompactionArguments& p) {
    return static_cast<unsigned>((p.count + PickingPolicy<T>::kTile - 1) / PickingPolicy<T>::kTile);
}

inline void launchPicking(LaunchContext& c, const CompactionArguments& p, const TunableValues&) {
    io::withSampleType(p.type, [&]<class T>(T) {
        using P = PickingPolicy<T>;
        const unsigned tilesALine = pickingTiles<T>(p), tiles = tilesALine * static_cast<unsigned>(p.channels);
        const unsigned most = static_cast<unsigned>(p.multiprocessors) * P::kBlocks;
        Wide* const states = freshStates(c, p.scratch);
        launch(c, &carried_places<P, T>, dim3(tiles < most ? tiles : most), dim3(P::kThreads), kPickingBytes<P, T>,
               static_cast<const T*>(c.address(p.input)), static_cast<unsigned*>(c.address(p.kept)),
               static_cast<unsigned*>(c.address(p.counts)), p, tilesALine, states);
    });
}

inline std::size_t pickingShared(io::PixelType type, const TunableValues&) {
    std::size_t bytes = 0;
    io::withSampleType(type, [&]<class T>(T) { bytes = kPickingBytes<PickingPolicy<T>, T>; });
    return bytes;
}

inline std::size_t pickingScratch(const CompactionArguments& p, const TunableValues&) {
    std::size_t bytes = 0;
    io::withSampleType(p.type, [&]<class T>(T) {
        bytes = statesBytes(std::uint64_t{pickingTiles<T>(p)} * static_cast<unsigned>(p.channels));
    });
    return bytes;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
