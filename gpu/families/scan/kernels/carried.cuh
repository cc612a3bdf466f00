// SPDX-License-Identifier: Apache-2.0
// Idea: blocks stay and take tile after tile: each carries what lies before its last tile and adds what others have
// said of the tiles in between; the next tiles arrive meanwhile, and one is added up and told long before its turn.
// Changed from look_back_vectorised: nobody waits to load; a tile says one thing, once; a warp of its own looks back.
// Needs: values side by side; where a tile does not start at 16 bytes, they go one by one. Sums of 32 bits.
// Block: 16 warps and the one that looks back; six to eight tiles of 8,192 values (u8: 16,384) in shared memory.
// Source: Merrill and Garland 2016; CUB, warp-specialised DeviceScan; re-derived.
// Look at: bytes under way, which no barrier holds up.
#pragma once

#include "gpu/families/scan/picking.cuh"
#include "gpu/families/scan/prefix_warp.cuh"
#include "gpu/families/scan/quads.cuh"

#include <type_traits>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <unsigned kWarpsOf, unsigned kQuadsOf, unsigned kStagesOf, unsigned kAheadOf, unsigned kBlocksOf>
struct CarriedShape {
    static constexpr unsigned kWarps = kWarpsOf, kQuads = kQuadsOf;
    static constexpr unsigned kStages = kStagesOf;  ///< tiles in shared memory
    static constexpr unsigned kAhead = kAheadOf;    ///< tiles that are added up before their turn
    static constexpr unsigned kBlocks = kBlocksOf;  ///< a multiprocessor
    static constexpr unsigned kThreads = 32 * (kWarps + 1), kOfWarp = 128 * kQuads, kTile = kWarps * kOfWarp;
    static constexpr unsigned kRing = kAhead + 1, kTickets = kStages + 2;
};

template <class P, class Sum>
struct alignas(16) CarriedBoard : ScoutBoard<P, Sum> {};

template <class P, class T, class Sum>
constexpr std::size_t kCarriedBytes = sizeof(CarriedBoard<P, Sum>) + sizeof(T) * P::kTile* P::kStages;

/// One of the warps that bring, add up and store.
template <class P, class T, class Sum>
struct Worker {
    const Scan<Sum>& scan;
    CarriedBoard<P, Sum>& board;
    T* stages;
    unsigned tiles;

    __device__ static unsigned lane() { return threadIdx.x % 32; }
    __device__ static unsigned warp() { return threadIdx.x / 32; }
    __device__ unsigned number(unsigned i) const { return board.tickets[i % P::kTickets]; }
    __device__ T* segment(unsigned i) const { return stages + i % P::kStages * P::kTile + warp() * P::kOfWarp; }
    __device__ bool whole(const Tile& tile) const {
        return tile.size == P::kTile && tile.first % (16 / sizeof(T)) == 0;
    }

    __device__ void bring(unsigned i) const {
        if (number(i) < tiles) {
            const Tile tile = scan.tile(number(i));
            const T* const from = static_cast<const T*>(scan.in.values) + tile.first;
            T* const to = segment(i);
            if (whole(tile)) {
                constexpr unsigned kPack = 16 / sizeof(T);
#pragma unroll
                for (unsigned at = lane() * kPack; at < P::kOfWarp; at += 32 * kPack)
                    bringPack(reinterpret_cast<float*>(to + at),
                              reinterpret_cast<const float*>(from + warp() * P::kOfWarp + at));
            } else {
                for (unsigned at = lane(); at < P::kOfWarp; at += 32) {
                    const unsigned inTile = warp() * P::kOfWarp + at;
                    to[at] = inTile < tile.size ? from[inTile] : T{0};
                }
            }
        }
        commitCopies();
    }
    /// Once this tile's copies have arrived.
    __device__ void addUp(unsigned i) const {
        __syncwarp();
        if (number(i) >= tiles) return;
        const T* const from = segment(i) + lane() * 4;
        Sum sum = 0;
#pragma unroll
        for (unsigned q = 0; q < P::kQuads; ++q) {
            T raw[4];
            loadQuad(from + q * 128, raw);
            const auto v = [&](int c) { return scan.in.taken(raw[c]); };
            sum += (v(0) + v(1)) + (v(2) + v(3));
        }
#pragma unroll
        for (unsigned apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(kAllLanes, sum, apart);
        if (lane() == 0) board.ofWarps[i % P::kRing][warp()] = sum;
    }
    __device__ void store(unsigned i) const {
        const Tile tile = scan.tile(number(i));
        const bool quads = whole(tile) && tile.first % 4 == 0;
        const T* const from = segment(i) + lane() * 4;
        Sum sum = board.beforeTile[i % 2] + board.ofWarps[i % P::kRing][warp()];
        const unsigned first = warp() * P::kOfWarp + lane() * 4;
#pragma unroll
        for (unsigned q = 0; q < P::kQuads; ++q) {
            T raw[4];
            loadQuad(from + q * 128, raw);
            const auto v = [&](int c) { return scan.in.taken(raw[c]); };
            const Sum upTo = warpInclusive((v(0) + v(1)) + (v(2) + v(3)));
            const Sum beforeLane = __shfl_up_sync(kAllLanes, upTo, 1);
            Sum sums[4], run = sum + (lane() == 0 ? Sum{0} : beforeLane);
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const Sum next = run + v(c);
                sums[c] = scan.exclusive ? run : next;
                run = next;
            }
            sum += __shfl_sync(kAllLanes, upTo, 31);
            const unsigned at = first + q * 128;
            if (quads) {
                storeQuad(scan.out + tile.first + at, sums);
            } else {
                for (unsigned c = 0; c < 4; ++c)
                    if (at + c < tile.size) scan.out[tile.first + at + c] = sums[c];
            }
        }
        __syncwarp();  // all have read the segment
    }
};

template <class P, class T, class Sum>
__global__ void __launch_bounds__(P::kThreads, P::kBlocks) carried(Scan<Sum> scan, Wide* states) {
    auto& board = *reinterpret_cast<CarriedBoard<P, Sum>*>(dynamicShared);
    const auto tiles = static_cast<unsigned>(scan.tilesALine * scan.lines.count);
    const bool scouts = threadIdx.x / 32 == P::kWarps;
    PrefixWarp<P, Sum> scout{board, states, tiles, static_cast<unsigned>(scan.tilesALine),
                             (tiles + gridDim.x - 1) / gridDim.x};
    const Worker<P, T, Sum> worker{scan, board, reinterpret_cast<T*>(&board + 1), tiles};
    if (scouts) scout.begin(P::kStages);
    __syncthreads();  // the first tickets are there
    if (!scouts) {
        for (unsigned i = 0; i < P::kStages; ++i) worker.bring(i);
        awaitCopies<P::kStages - P::kAhead>();
        for (unsigned i = 0; i < P::kAhead; ++i) worker.addUp(i);
    }
    __syncthreads();  // the first sums are there
    if (scouts) {
        for (unsigned i = 0; i + 1 < P::kAhead; ++i) scout.tell(i);
        scout.find(0);
    }
    __syncthreads();  // and what comes before the first tile
    for (unsigned i = 0; worker.number(i) < tiles; ++i) {
        if (scouts) {
            scout.tell(i + P::kAhead - 1);
            scout.draw(i + P::kStages + 1);
            scout.find(i + 1);
        } else {
            worker.store(i);
            worker.bring(i + P::kStages);
            awaitCopies<P::kStages - P::kAhead>();
            worker.addUp(i + P::kAhead);
        }
        __syncthreads();
    }
}

template <class T>
using CarriedPolicy =
    std::conditional_t<sizeof(T) == 4, CarriedShape<16, 4, 6, 4, 1>,
                       std::conditional_t<sizeof(T) == 2, CarriedShape<16, 4, 8, 6, 1>, CarriedShape<16, 8, 8, 6, 1>>>;

template <class T>
using CarriedSum = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;

inline void launchCarried(LaunchContext& c, const ScanArguments& s, const TunableValues&) {
    io::withSampleType(s.type, [&]<class T>(T) {
        const auto call = [&]<class Sum>(Sum) {
            using P = CarriedPolicy<T>;
            const auto scan = scanOf<Sum>(c, s, P::kTile);
            const auto most = static_cast<Wide>(s.multiprocessors) * P::kBlocks;
            Wide* const states = freshStates(c, s.scratch);
            launch(c, &carried<P, T, Sum>, dim3(static_cast<unsigned>(scan.tiles() < most ? scan.tiles() : most)),
                   dim3(P::kThreads), kCarriedBytes<P, T, Sum>, scan, states);
        };
        if constexpr (sizeof(T) == 4) {
            if (s.sum == SumType::f32) return call(float{});
        }
        call(std::uint32_t{});
    });
}

inline std::size_t carriedScratch(const ScanArguments& s, const TunableValues&) {
    std::size_t bytes = 0;
    io::withSampleType(s.type, [&]<class T>(T) { bytes = statesBytes(tilesOf(s, CarriedPolicy<T>::kTile)); });
    return bytes;
}

inline std::size_t carriedShared(io::PixelType type) {
    std::size_t bytes = 0;
    io::withSampleType(type, [&]<class T>(T) { bytes = kCarriedBytes<CarriedPolicy<T>, T, CarriedSum<T>>; });
    return bytes;
}

inline Footprint carriedFootprint(const TunableValues&) {
    using P = CarriedPolicy<float>;
    return tileFootprint(P::kThreads, P::kTile, true);
}

KernelEntry carried_entry() {
    return {.scan = &launchCarried,
            .compact = &launchPicking,
            .footprint = &carriedFootprint,
            .scratchBytes = &carriedScratch,
            .compactScratch = &pickingScratch,
            .compactShared = &pickingShared,
            .scanShared = &carriedShared,
            .depth = &depthOfChain,
            .wide = false,
            .strided = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan