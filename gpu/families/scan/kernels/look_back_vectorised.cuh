// SPDX-License-Identifier: Apache-2.0
// Idea: four values per load, 16 bytes per store, warps that scan on their own, and a warp that looks back 32 tiles at
// once.
// Changed from look_back: two barriers per tile instead of 24, a read of the states instead of one per tile.
// Needs: values side by side; where a tile does not start at four of them, they go one by one. Sums of 32 bits.
// Block: block_width threads, 8 x 4 values each in registers, a sum a warp of shared memory.
// Source: Merrill and Garland 2016; CUB, AgentScan; re-derived.
// Look at: bytes under way: a block that waits loads nothing, so that the more a thread takes at once, the better.
#pragma once

#include "gpu/families/scan/quads.cuh"
#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class T, class Sum>
__global__ void __launch_bounds__(1024) look_back_vectorised(Scan<Sum> scan, Wide* states) {
    const auto [number, turn] = drawTile(states, scan.tiles());
    __syncthreads();  // every thread has the number
    const Tile tile = scan.tile(number);
    Wide* const own = states + StatesLayout::kFirst + number;
    Sum* const ofWarps = sharedSums<Sum>();  // and behind the last of them, what comes before the tile
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned first = warp * QuadPolicy::kQuads * 128 + lane * 4;  // of this thread's quads, 128 apart
    const bool whole = tile.size == scan.tileValues && tile.first % 4 == 0;
    T raw[QuadPolicy::kQuads][4];
    Sum beforeQuad[QuadPolicy::kQuads], ofWarp = 0;
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q)
        loadQuadOf(static_cast<const T*>(scan.in.values) + tile.first, tile.size, first + q * 128, whole, raw[q]);
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        const auto v = [&](int i) { return scan.in.taken(raw[q][i]); };
        const Sum upTo = warpInclusive((v(0) + v(1)) + (v(2) + v(3)));
        const Sum beforeLane = __shfl_up_sync(kAllLanes, upTo, 1);
        beforeQuad[q] = ofWarp + (lane == 0 ? Sum{0} : beforeLane);
        ofWarp += __shfl_sync(kAllLanes, upTo, 31);
    }
    if (lane == 0) ofWarps[warp] = ofWarp;
    __syncthreads();
    if (warp == 0) {
        const Sum upToWarp = warpInclusive(lane < warps ? ofWarps[lane] : Sum{0});
        const Sum total = __shfl_sync(kAllLanes, upToWarp, 31);
        Sum before = 0;
        if (tile.number > 0) {
            if (lane == 0) publish(own, packTileState(turn, kPartial, total));
            before = lookBackByWarp<Sum>(turn, own, tile.number);
        }
        if (lane == 0) {
            publish(own, packTileState(turn, kInclusive, before + total));
            ofWarps[32] = before;
        }
        if (lane < warps) ofWarps[lane] = upToWarp;
    }
    __syncthreads();
    const Sum beforeWarp = ofWarps[32] + (warp == 0 ? Sum{0} : ofWarps[warp - 1]);
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        Sum sums[4], sum = beforeWarp + beforeQuad[q];
#pragma unroll
        for (int v = 0; v < 4; ++v) {
            const Sum upTo = sum + scan.in.taken(raw[q][v]);
            sums[v] = scan.exclusive ? sum : upTo;
            sum = upTo;
        }
        const unsigned i = first + q * 128;
        if (whole) {
            storeQuad(scan.out + tile.first + i, sums);
        } else {
            for (int v = 0; v < 4; ++v)
                if (i + v < tile.size) scan.out[tile.first + i + v] = sums[v];
        }
    }
}

inline void launchLookBackVectorised(LaunchContext& c, const ScanArguments& s, const TunableValues& t) {
    io::withSampleType(s.type, [&]<class T>(T) {
        const auto call = [&]<class Sum>(Sum) {
            const unsigned threads = blockWidthOf(t);
            const auto scan = scanOf<Sum>(c, s, threads * QuadPolicy::kValues);
            launch(c, &look_back_vectorised<T, Sum>, dim3(static_cast<unsigned>(scan.tiles())), dim3(threads),
                   33 * sizeof(Sum), scan, statesOf(c, s.scratch));
        };
        if constexpr (sizeof(T) == 4) {
            if (s.sum == SumType::f32) return call(float{});
        }
        call(std::uint32_t{});
    });
}

inline std::size_t quadScratch(const ScanArguments& s, const TunableValues& t) {
    return statesBytes(tilesOf(s, std::uint64_t{blockWidthOf(t)} * QuadPolicy::kValues));
}

inline Footprint quadFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t) * QuadPolicy::kValues, false);
}

KernelEntry look_back_vectorised_entry() {
    return {.scan = &launchLookBackVectorised,
            .footprint = &quadFootprint,
            .scratchBytes = &quadScratch,
            .depth = &depthOfChain,
            .wide = false,
            .strided = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
