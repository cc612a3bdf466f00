// SPDX-License-Identifier: Apache-2.0
// Idea: look a few pixels around first, which is all that a dense mask needs; only a row that is not done is halved.
// Changed from banded: eight steps outward before halving, four columns a load after it.
// Needs: what banded needs.
// Block: block_width threads; shared memory: 4 bytes per pixel of the row and 2 per band, or 6 per pixel along z.
// Source: outward and banded, one after the other.
// Look at: time on noise against banded, and that it loses nothing where sites are far.
#pragma once

#include "gpu/families/distance/halving.cuh"

#include <cstring>

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

constexpr int kNearSteps = 8;

/// The least of costs[i] + (i - place)^2 a few steps around, a line's values being `stride` apart; and whether nothing
/// beyond them could be less.
template <class Cost>
struct Near {
    Wide<Cost> square;
    bool done;
};
template <class Cost>
__device__ Near<Cost> nearestAround(const Cost* costs, Axis<Cost> along, int place, int length, int stride) {
    Wide<Cost> square = costs[place * stride];
    int apart = 1;
    for (; apart <= kNearSteps; ++apart) {
        const Wide<Cost> beside = along(apart);
        if (beside >= square) return {square, true};
        if (place >= apart) square = lesser(square, costs[(place - apart) * stride] + beside);
        if (place + apart < length) square = lesser(square, costs[(place + apart) * stride] + beside);
    }
    return {square, along(apart) >= square};
}

/// Whether a thread of the block says so. `words`: one a warp of shared memory.
__device__ inline bool anyOfBlock(bool mine, int* words) {
    const bool ofWarp = __any_sync(0xffffffffU, mine) != 0;
    if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = ofWarp;
    __syncthreads();
    bool any = false;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) any |= words[i] != 0;
    return any;
}

inline __host__ __device__ int paddedWidth(int width) { return (width + 3) / 4 * 4; }

template <class Cost>
__global__ void near_rows(Bands b, Sink<Cost> out, Axis<Cost> alongX, Axis<Cost> alongY, Start start) {
    Cost* const costs = reinterpret_cast<Cost*>(dynamicShared);
    const int padded = paddedWidth(b.width);
    int* const words = reinterpret_cast<int*>(costs + padded);
    auto* const nearest = reinterpret_cast<std::uint16_t*>(words + 32);
    const int y = start.row + blockIdx.y, layer = start.layer + blockIdx.z;
    for (int x = threadIdx.x; x < padded; x += blockDim.x)
        costs[x] = x < b.width ? costOf(b.offset(layer, y, x), alongY) : kNone<Cost>;
    __syncthreads();
    const std::size_t row = (static_cast<std::size_t>(layer) * b.height + y) * b.width;
    bool far = false;
    for (int x = threadIdx.x; x < b.width && !far; x += blockDim.x) {
        const Near<Cost> near = nearestAround(costs, alongX, x, b.width, 1);
        far = !near.done;
        if (!far) out.store(row + x, near.square);
    }
    if (!anyOfBlock(far, words)) return;
    const int stretches = (b.width + kStretch - 1) / kStretch;
    nearestOfStretches(costs, nearest, stretches, b.width, alongX);
    const int warps = blockDim.x / 32;
    for (int i = threadIdx.x / 32; i < stretches; i += warps) {
        const int x = i * kStretch + static_cast<int>(threadIdx.x % 32);
        if (x >= b.width) continue;
        const int first = i > 0 ? nearest[i - 1] : 0, last = nearest[i];
        Wide<Cost> square = costs[x];
        // A few columns more, which harm nobody, so that loads are of four.
        for (int at = first / 4 * 4; at <= last; at += 4) {
            const float4 whole = *reinterpret_cast<const float4*>(costs + at);
            Cost four[4];
            memcpy(four, &whole, sizeof four);
#pragma unroll
            for (int k = 0; k < 4; ++k) square = lesser(square, four[k] + alongX(at + k - x));
        }
        out.store(row + x, square);
    }
}

template <class Cost>
__global__ void near_deep(const Cost* between, Sink<Cost> out, int width, int height, int depth, int lines,
                          Axis<Cost> along, Start start) {
    Cost* const costs = reinterpret_cast<Cost*>(dynamicShared);
    int* const words = reinterpret_cast<int*>(costs + static_cast<std::size_t>(lines) * depth);
    auto* const nearest = reinterpret_cast<std::uint16_t*>(words + 32);
    const DeepLines l = deepLines(width, height, depth, lines, start);
    if (l.inside)
        for (int z = l.worker; z < depth; z += l.workers) costs[z * lines + l.lane] = between[l.first + z * l.slice];
    __syncthreads();
    bool far = false;
    for (int z = l.worker; z < depth && l.inside && !far; z += l.workers) {
        const Near<Cost> near = nearestAround(costs + l.lane, along, z, depth, lines);
        far = !near.done;
        if (!far) out.store(l.first + z * l.slice, near.square);
    }
    if (anyOfBlock(far, words)) halveDeep(costs, nearest, out, depth, lines, along, l);
}

inline Footprint nearFirstFootprint(const Case& c, const TunableValues& t) { return rowFootprint(c, t); }

inline std::size_t nearFirstShared(const Case& c) {
    const auto rows = 4 * static_cast<std::size_t>(paddedWidth(c.width)) + 2 * std::size_t{ceilDiv(c.width, kStretch)};
    const auto deep = c.depth == 1 ? 0 : 6 * static_cast<std::size_t>(linesOf(c)) * static_cast<std::size_t>(c.depth);
    return 32 * sizeof(int) + std::max(rows, deep);
}

inline void launchNearFirst(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    launchByRows(c, a, t, &nearFirstShared, [&]<class Cost>(Cost) {
        return RowKernels<Cost>{&near_rows<Cost>, &near_deep<Cost>};
    });
}

KernelEntry near_first_entry() {
    return {.launch = &launchNearFirst,
            .footprint = &nearFirstFootprint,
            .scratchBytes = &rowScratch,
            .sharedBytes = &nearFirstShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
