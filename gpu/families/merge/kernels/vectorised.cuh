// SPDX-License-Identifier: Apache-2.0
// Idea: a first kernel searches where every tile begins, so that a block loads just its tile, all of it at once.
// Changed from circular_buffer: 16 bytes a load and a store; results go through shared memory to be stored in order.
// Needs: nothing of alignment: packs begin before a tile does and end after it.
// Block: block_width threads, 15 values each: 15 x block_width values and 64 bytes of shared memory.
// Source: Green, McColl and Bader 2012; Baxter, moderngpu, 2013; CUB, AgentMerge; re-derived.
// Look at: sectors: every value once in, once out; 15 values a thread are odd, so that lanes store to all banks.
#pragma once

#include "gpu/families/merge/launching.cuh"
#include "gpu/kernels/load_once.cuh"

#include <cstring>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

struct VectorisedPolicy {
    static constexpr unsigned kItems = 15;  ///< a thread; odd
    static constexpr unsigned kSplitThreads = 128;
};

/// How many values of its pair's first run come before each tile.
template <class O>
__global__ void split_tiles(Pairs<O> pairs, Wide* splits, Wide all) {
    const Wide number = Wide{blockIdx.x} * blockDim.x + threadIdx.x;
    if (number >= all) return;
    const auto tile = pairs.stretch(number);
    if (tile.count > 0) splits[number] = tile.pair.fromA(tile.first);
}

/// Values in memory, seen as the packs they lie in.
template <class V>
struct Packs {
    const Pack<V>* first;
    unsigned before, count;  ///< values of the first pack that come before them; packs

    __device__ Packs(const V* values, unsigned number) {
        const auto address = reinterpret_cast<std::uintptr_t>(values);
        before = static_cast<unsigned>(address % sizeof(Pack<V>) / sizeof(V));
        first = reinterpret_cast<const Pack<V>*>(values - before);
        count = number == 0 ? 0 : (before + number + Pack<V>::kValues - 1) / Pack<V>::kValues;
    }
};

template <class V>
__device__ void copyPack(void* to, const Pack<V>& pack) {
    float4 whole;
    memcpy(static_cast<void*>(&whole), &pack, sizeof whole);
    *static_cast<float4*>(to) = whole;
}

/// All loads of a thread are on their way before the first is stored.
template <class V>
__device__ void stageTile(V* shared, const Packs<V>& a, const Packs<V>& b) {
    constexpr unsigned kPacks = (VectorisedPolicy::kItems * sizeof(V) + 15) / 16;
    Pack<V> packs[kPacks];
#pragma unroll
    for (unsigned n = 0; n < kPacks; ++n) {
        const unsigned at = n * blockDim.x + threadIdx.x;
        if (at < a.count + b.count) packs[n] = loadOnce(at < a.count ? a.first + at : b.first + (at - a.count));
    }
#pragma unroll
    for (unsigned n = 0; n < kPacks; ++n) {
        const unsigned at = n * blockDim.x + threadIdx.x;
        if (at < a.count + b.count) copyPack(shared + at * Pack<V>::kValues, packs[n]);
    }
}

/// Stores `count` values that lie in shared memory as `before` values of a pack and they do in memory.
template <class V>
__device__ void storeTile(const V* shared, V* out, unsigned before, unsigned count) {
    constexpr unsigned kValues = Pack<V>::kValues;
    V* const first = out - before;
    const unsigned end = before + count;
    for (unsigned at = threadIdx.x * kValues; at < end; at += blockDim.x * kValues) {
        if (at >= before && at + kValues <= end) {
            *reinterpret_cast<float4*>(first + at) = *reinterpret_cast<const float4*>(shared + at);
            continue;
        }
        for (unsigned i = at; i < at + kValues; ++i)
            if (i >= before && i < end) first[i] = shared[i];
    }
}

template <class O>
__global__ void vectorised(Pairs<O> pairs, const Wide* splits) {
    using Value = typename O::Value;
    constexpr unsigned kItems = VectorisedPolicy::kItems;
    const auto tile = pairs.stretch(blockIdx.x);
    if (tile.count == 0) return;
    const Pair<O>& pair = tile.pair;
    const O& order = pairs.order;
    const Wide begin = splits[blockIdx.x], behind = tile.first + tile.count;
    const Wide end = behind == pair.aCount + pair.bCount ? pair.aCount : splits[blockIdx.x + 1];
    const auto aCount = static_cast<unsigned>(end - begin), bCount = tile.count - aCount;
    auto* const shared = reinterpret_cast<Value*>(dynamicShared);
    const Packs<Value> a(pair.a + begin, aCount), b(pair.b + (tile.first - begin), bCount);
    stageTile(shared, a, b);
    __syncthreads();

    // From here on places in shared memory, of both lists.
    const auto key = [&](unsigned at) { return order.key(shared[at]); };
    const unsigned aBegin = a.before, bBegin = a.count * Pack<Value>::kValues + b.before;
    const unsigned aEnd = aBegin + aCount, bEnd = bBegin + bCount, mine = threadIdx.x * kItems;
    const unsigned k = mine < tile.count ? mine : tile.count;
    const unsigned i = coRank(
        k, aCount, bCount, [&](unsigned at) { return key(aBegin + at); },
        [&](unsigned at) { return key(bBegin + at); });
    typename O::Key merged[kItems];
    mergeItems(i + aBegin, aEnd, bBegin + k - i, bEnd, key, merged);
    __syncthreads();
    Value* const out = pair.out + tile.first;
    const unsigned before = Packs<Value>(out, tile.count).before;
#pragma unroll
    for (unsigned n = 0; n < kItems; ++n)
        if (mine + n < tile.count) shared[before + mine + n] = order.value(merged[n]);
    __syncthreads();
    storeTile(shared, out, before, tile.count);
}

inline unsigned vectorisedTile(const TunableValues& t) { return blockWidthOf(t) * VectorisedPolicy::kItems; }

/// The tile; each list begins and ends anywhere within a pack.
inline std::size_t vectorisedShared(const TunableValues& t, std::size_t valueBytes) {
    return vectorisedTile(t) * valueBytes + 64;
}

inline void launchVectorised(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        constexpr unsigned kThreads = VectorisedPolicy::kSplitThreads;
        const auto pairs = pairsOf(c, pass, order, vectorisedTile(t));
        const Wide all = pairs.all();
        auto* const splits = static_cast<Wide*>(c.address(pass.scratch));
        launch(c, &split_tiles<O>, dim3(static_cast<unsigned>(ceilDivWide(all, kThreads))), dim3(kThreads), 0, pairs,
               splits, all);
        launch(c, &vectorised<O>, dim3(static_cast<unsigned>(all)), dim3(blockWidthOf(t)),
               vectorisedShared(t, sizeof(typename O::Value)), pairs, static_cast<const Wide*>(splits));
    });
}

inline Footprint vectorisedFootprint(const TunableValues& t) {
    return stretchFootprint(blockWidthOf(t), vectorisedTile(t), true);
}

inline std::size_t vectorisedScratch(const Pass& pass, const TunableValues& t) {
    return stretchesOf(pass, vectorisedTile(t)) * sizeof(Wide);
}

KernelEntry vectorised_entry() {
    return {.merge = &launchVectorised,
            .footprint = &vectorisedFootprint,
            .sharedBytes = &vectorisedShared,
            .scratchBytes = &vectorisedScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
