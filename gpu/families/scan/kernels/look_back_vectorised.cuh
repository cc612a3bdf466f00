// SPDX-License-Identifier: Apache-2.0
// Idea: four values a load and 16 bytes a store, warps that scan on their own, and a warp that looks back 32 tiles at
// once. Changed from look_back: two barriers a tile in place of 24, a read of the states in place of one a tile. Needs:
// values side by side; where a tile does not start at four of them, they go one by one. Sums of 32 bits. Block:
// block_width threads, 4 x 4 values each in registers, a sum a warp of shared memory. Source: Merrill and Garland 2016;
// CUB, AgentScan; re-derived. Look at: quads of a warp lie side by side, so that loads and stores are whole sectors
// without a turn through memory.
#pragma once

#include "gpu/families/scan/states.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct QuadPolicy {
    static constexpr unsigned kQuads = 4, kValues = 4 * kQuads;  ///< a thread
};

template <class Sum>
struct Quad {
    Sum value[4];
};

__device__ inline void loadQuad(const std::uint8_t* from, std::uint8_t (&to)[4]) {
    const unsigned word = *reinterpret_cast<const unsigned*>(from);
    memcpy(to, &word, sizeof word);
}
__device__ inline void loadQuad(const std::uint16_t* from, std::uint16_t (&to)[4]) {
    const Wide word = *reinterpret_cast<const Wide*>(from);
    memcpy(to, &word, sizeof word);
}
__device__ inline void loadQuad(const float* from, float (&to)[4]) {
    const float4 word = *reinterpret_cast<const float4*>(from);
    memcpy(to, &word, sizeof word);
}

/// Value i of the tile and the three after it; `whole`: all are there, and lie where four do.
template <class T, class Sum>
__device__ Quad<Sum> quadOf(const Scan<Sum>& scan, const Tile& tile, unsigned i, bool whole) {
    Quad<Sum> quad;
    if (whole) {
        T raw[4];
        loadQuad(static_cast<const T*>(scan.in.values) + tile.first + i, raw);
#pragma unroll
        for (int v = 0; v < 4; ++v) quad.value[v] = scan.in.taken(raw[v]);
    } else {
#pragma unroll
        for (int v = 0; v < 4; ++v) quad.value[v] = scan.load(tile, i + v);
    }
    return quad;
}

/// The sum up to the tile before this one: each lane asks another tile, and the nearest sum from the start ends it.
template <class Sum>
__device__ Sum lookBackByWarp(Wide* own, Wide tilesBefore) {
    const unsigned lane = threadIdx.x % 32;
    Sum before = 0;
    for (Wide from = 0;; from += 32) {
        // Before the first tile there is nothing, which is a sum from the start.
        const Wide back = from + lane + 1;
        const Wide said = back <= tilesBefore ? heard(own - back) : stated(kUpTo, Sum{0});
        const unsigned ends = __ballot_sync(kAllLanes, whatOf(said) == kUpTo);
        const unsigned last = ends == 0 ? 31 : __ffs(static_cast<int>(ends)) - 1;
        Sum sum = lane <= last ? sumOf<Sum>(said) : Sum{0};
#pragma unroll
        for (unsigned apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(kAllLanes, sum, apart);
        before = sum + before;
        if (ends != 0) return before;
    }
}

template <class T, class Sum>
__global__ void look_back_vectorised(Scan<Sum> scan, Wide* states) {
    const Wide number = drawTile(states);
    __syncthreads();                                           // every thread has the number
    if (number >= scan.tilesALine * scan.lines.count) return;  // the trace may run a block twice
    const Tile tile = scan.tile(number);
    Wide* const own = states + 1 + number;
    Sum* const ofWarps = sharedSums<Sum>();  // and behind the last of them, what comes before the tile
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const bool aligned = tile.size == scan.tileValues && tile.first % 4 == 0;
    Quad<Sum> quads[QuadPolicy::kQuads];
    Sum beforeQuad[QuadPolicy::kQuads], ofWarp = 0;
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q)
        quads[q] = quadOf<T>(scan, tile, (warp * QuadPolicy::kQuads + q) * 128 + lane * 4, aligned);
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        const Sum* const v = quads[q].value;
        const Sum upTo = warpInclusive((v[0] + v[1]) + (v[2] + v[3]));
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
            if (lane == 0) releaseStore(own, stated(kOwn, total));
            before = lookBackByWarp<Sum>(own, tile.number);
        }
        if (lane == 0) {
            releaseStore(own, stated(kUpTo, before + total));
            ofWarps[32] = before;
        }
        if (lane < warps) ofWarps[lane] = upToWarp;
    }
    __syncthreads();
    const Sum beforeWarp = ofWarps[32] + (warp == 0 ? Sum{0} : ofWarps[warp - 1]);
#pragma unroll
    for (unsigned q = 0; q < QuadPolicy::kQuads; ++q) {
        Quad<Sum> sums;
        Sum sum = beforeWarp + beforeQuad[q];
#pragma unroll
        for (int v = 0; v < 4; ++v) {
            const Sum upTo = sum + quads[q].value[v];
            sums.value[v] = scan.exclusive ? sum : upTo;
            sum = upTo;
        }
        const unsigned i = (warp * QuadPolicy::kQuads + q) * 128 + lane * 4;
        if (aligned) {
            float bits[4];
            memcpy(bits, &sums, sizeof bits);
            *reinterpret_cast<float4*>(scan.out + tile.first + i) = make_float4(bits[0], bits[1], bits[2], bits[3]);
        } else {
            for (int v = 0; v < 4; ++v)
                if (i + v < tile.size) scan.out[tile.first + i + v] = sums.value[v];
        }
    }
}

inline void launchLookBackVectorised(LaunchContext& c, const Step& s, const TunableValues& t) {
    io::withSampleType(s.type, [&]<class T>(T) {
        const auto call = [&]<class Sum>(Sum) {
            const unsigned threads = blockWidthOf(t);
            const auto scan = scanOf<Sum>(c, s, threads * QuadPolicy::kValues);
            Wide* const states = freshStates(c, s, scan.tiles());
            launch(c, &look_back_vectorised<T, Sum>, dim3(static_cast<unsigned>(scan.tiles())), dim3(threads),
                   33 * sizeof(Sum), scan, states);
        };
        if constexpr (sizeof(T) == 4) {
            if (s.sum == SumType::f32) return call(float{});
        }
        call(std::uint32_t{});
    });
}

inline std::size_t quadScratch(const Step& s, const TunableValues& t) {
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
