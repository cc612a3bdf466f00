// SPDX-License-Identifier: Apache-2.0
// Idea: the order of every addition follows from the picture's size alone, so that every device gets the same bits.
// Changed from fused: a warp sums one leaf after the other, and the last block sums the leaves, both in one fixed
// order.
// Needs: floats whose plane begins beside a 16-byte boundary are loaded one by one; integers are exact in any order.
// Block: 256 threads, one cell per warp in shared memory; at most 3 blocks per multiprocessor, 2 when comparing.
// Source: ours; after Demmel and Nguyen, Fast reproducible floating-point summation, 2013, for what it avoids.
// Look at: closeLeaf: sums leave the lane's cell at a leaf's end, so that no block's share can be seen in them.
#pragma once

#include "gpu/families/reduction/chunks.cuh"

#include <bit>

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

struct FixedTreePolicy {
    static constexpr std::uint64_t kLeastLeaf = 4096;    ///< values
    static constexpr std::uint64_t kMostLeaves = 16384;  ///< few enough for one block to add up
};

/// Leaves of a channel: whole chunks each, of floats a power of two of values. Shape and order know nothing of a
/// device.
template <class M>
struct Leaves {
    double* sums;  ///< three a leaf
    Wide count;
    unsigned chunks;  ///< of a leaf, a power of two

    /// Stores the warp's sums, the lanes' in one order, and begins anew.
    __device__ void closeLeaf(Wide leaf, typename M::Cell& cell) const {
        for (int s = 0; s < 3; ++s) {
            double sum = cell.sums[s];
            for (int apart = 16; apart >= 1; apart /= 2) sum += __shfl_xor_sync(0xffffffffU, sum, apart);
            if (threadIdx.x % 32 == 0) sums[3 * leaf + s] = sum;
            cell.sums[s] = 0;
        }
    }
    /// The last block's share of a thread: there always are 256 of them. Unrolled, eight leaves are asked for at once.
    __device__ void addTo(typename M::Cell& cell) const {
#pragma unroll 8
        for (Wide leaf = threadIdx.x; leaf < count; leaf += ChunkPolicy::kThreads) {
            for (int s = 0; s < 3; ++s) cell.sums[s] += sums[3 * leaf + s];
        }
    }
};

/// A lane's packs of a chunk of floats that begins anywhere.
template <class M>
__device__ LanePacks<M> loadAnywhere(const M& in, Wide first) {
    LanePacks<M> lane;
    for (unsigned u = 0; u < ChunkPolicy::kPacksPerLane; ++u) {
        for (int k = 0; k < 4; ++k) {
            const Wide at = first + (u * 32 + threadIdx.x % 32) * 4 + k;
            memcpy(&lane.own[u].word[k], &in.data[at], sizeof(float));
            if constexpr (M::kPairs) memcpy(&lane.other[u].word[k], &in.with[at], sizeof(float));
        }
    }
    return lane;
}

/// The leaves of a warp. Chunks of floats are counted from the channel's first value, whatever its alignment.
template <class M>
__device__ void sumLeaves(const M& in, const Leaves<M>& leaves, typename M::Cell& mine, Wide warp, Wide warps) {
    constexpr Wide kValues = ChunkPolicy::kPacks * 4;
    const Packs<M> packs(in);
    const Wide whole = in.count / kValues, chunks = (in.count + kValues - 1) / kValues;
    const auto load = [&](Wide chunk) {
        if (packs.head != 0) return loadAnywhere(in, chunk * kValues);
        LanePacks<M> lane;
        lane.load(packs, chunk);
        return lane;
    };
    const auto after = [&](Wide chunk) {
        const bool leafEnds = ((chunk + 1) & (leaves.chunks - 1)) == 0;
        return chunk + 1 + (leafEnds ? (warps - 1) * leaves.chunks : 0);
    };
    Wide chunk = warp * leaves.chunks;
    LanePacks<M> ahead;
    if (chunk < whole) ahead = load(chunk);
    while (chunk < chunks) {
        const Wide next = after(chunk);
        const LanePacks<M> now = ahead;
        if (next < whole) ahead = load(next);
        if (chunk < whole) {
            take<ChunkPolicy::kPacksPerLane>(in, mine, now.own, now.other, chunk * kValues);
        } else {
            for (Wide at = chunk * kValues + threadIdx.x % 32; at < in.count; at += 32) in.add(mine, at);
        }
        const bool leafEnds = ((chunk + 1) & (leaves.chunks - 1)) == 0 || chunk + 1 == chunks;
        if (leafEnds) leaves.closeLeaf(chunk / leaves.chunks, mine);
        chunk = next;
    }
}

template <class M>
__global__ void __launch_bounds__(ChunkPolicy::kThreads, ChunkPolicy::blocksPerMultiprocessor<M>())
    fixed_tree(M in, Leaves<M> leaves, typename M::Cell* parts, unsigned* ticket, typename M::Cell* result) {
    typename M::Cell mine;
    const Wide warp = (Wide{blockIdx.x} * blockDim.x + threadIdx.x) / 32, warps = Wide{gridDim.x} * blockDim.x / 32;
    if constexpr (M::kFloats) {
        sumLeaves(in, leaves, mine, warp, warps);
    } else {
        const Packs<M> packs(in);
        for (Wide chunk = warp; chunk < packs.count / ChunkPolicy::kPacks; chunk += warps) {
            LanePacks<M> now;
            now.load(packs, chunk);
            take<ChunkPolicy::kPacksPerLane>(in, mine, now.own, now.other, packs.firstOf(chunk * ChunkPolicy::kPacks));
        }
        if (warp == warps - 1) takeRest(packs, mine, threadIdx.x % 32);
    }
    mine = blockByWarps<M>(mine);
    if (threadIdx.x == 0) storeCell(parts + blockIdx.x, mine);
    if (!lastBlock(ticket)) return;
    mine = shareOfParts<M>(parts);
    if constexpr (M::kFloats) leaves.addTo(mine);  // the blocks' own sums are zero
    mine = blockByWarps<M>(mine);
    findPlaces(in, mine);
    if (threadIdx.x == 0) storeCell(result, mine);
}

inline std::uint64_t leafValuesOf(std::uint64_t count) {
    const auto wanted = (count + FixedTreePolicy::kMostLeaves - 1) / FixedTreePolicy::kMostLeaves;
    return std::max(FixedTreePolicy::kLeastLeaf, std::bit_ceil(wanted));
}

inline std::uint64_t leafCountOf(std::uint64_t count) {
    return (count + leafValuesOf(count) - 1) / leafValuesOf(count);
}

inline void launchFixedTree(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class I>(I) {
        using M = typename I::M;
        const auto blocks = blocksOfChunks(a, t, ChunkPolicy::blocksPerMultiprocessor<M>());
        auto* const parts = scratchCells<M>(c, a);
        const Leaves<M> leaves{reinterpret_cast<double*>(parts + blocks), leafCountOf(a.count),
                               static_cast<unsigned>(leafValuesOf(a.count) / (ChunkPolicy::kPacks * 4))};
        launch(c, &fixed_tree<M>, dim3(static_cast<unsigned>(blocks)), dim3(ChunkPolicy::kThreads),
               cellsOfWarps<M>(ChunkPolicy::kThreads), measured<M>(c, a), leaves, parts, ticketOf(c, a),
               resultOf<M>(c, a));
    });
}

inline std::size_t fixedTreeScratch(const Arguments& a, const TunableValues& t) {
    return cellsFor(a, blocksOfChunks(a, t)) + leafCountOf(a.count) * 3 * sizeof(double);
}

KernelEntry fixed_tree_entry() {
    return {.launch = &launchFixedTree,
            .footprint = &footprintOfChunks,
            .scratchBytes = &fixedTreeScratch,
            .compares = true,
            .sameBits = SameBits::onEveryDevice,
            .depth = ChunkPolicy::kDepth};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
