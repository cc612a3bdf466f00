// SPDX-License-Identifier: Apache-2.0
// Idea: a first kernel searches where every tile begins, so that a block loads just its tile, all of it at once.
// Changed from circular_buffer: 16 bytes a load and a store; results go through shared memory to be stored in order.
// Needs: nothing of alignment: packs begin before a tile does and end after it.
// Block: block_width threads; block_width x elements_per_thread values and 64 bytes of shared memory.
// Source: Green, McColl and Bader 2012; Baxter, moderngpu, 2013; CUB, AgentMerge; re-derived.
// Look at: sectors: every value once in, once out; a thread's values are odd in number: lanes store to all banks.
#pragma once

#include "gpu/families/merge/launching.cuh"
#include "gpu/kernels/load_once.cuh"

#include <cstring>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

struct VectorisedPolicy {
    static constexpr unsigned kFew = kSortItems,
                              kMany = 23;  ///< values a thread; odd, and not too few for the last pack
    static constexpr unsigned kSplitThreads = 128;
};

/// How many values of its pair's first run come before each tile. Blocks of pairs and not of tiles, so that no two
/// passes of a sort have the same grid: the trace runs a grid twice at most.
template <class O>
__global__ void split_tiles(Pairs<O> pairs, Wide* splits) {
    const unsigned inPair = blockIdx.y * blockDim.x + threadIdx.x;
    if (inPair >= pairs.stretches) return;
    const unsigned number = blockIdx.x * pairs.stretches + inPair;
    const auto tile = pairs.stretch(number);
    if (tile.count == 0) return;
    const Pair<O>& pair = tile.pair;
    splits[number] = coRankByQuarters(
        tile.first, pair.aCount, pair.bCount, [&](Wide i) { return pair.keyA(i); },
        [&](Wide i) { return pair.keyB(i); });
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

/// Keys of a tile: all loads of a thread are on their way before the first is stored.
template <unsigned kItems, class O, class V = typename O::Value>
__device__ void stageTile(const O& order, typename O::Key* keys, const Packs<V>& a, const Packs<V>& b) {
    // Each list begins and ends within a pack.
    constexpr unsigned kPacks = (kItems * sizeof(V) + 15) / 16;
    Pack<V> packs[kPacks];
#pragma unroll
    for (unsigned n = 0; n < kPacks; ++n) {
        const unsigned at = n * blockDim.x + threadIdx.x;
        if (at < a.count + b.count) packs[n] = loadOnce(at < a.count ? a.first + at : b.first + (at - a.count));
    }
#pragma unroll
    for (unsigned n = 0; n < kPacks; ++n) {
        const unsigned at = n * blockDim.x + threadIdx.x;
        if (at >= a.count + b.count) continue;
        order.toKeys(packs[n]);
        copyPack(keys + at * Pack<V>::kValues, packs[n]);
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

template <class O, unsigned kItems>
__global__ void vectorised(Pairs<O> pairs, const Wide* splits) {
    using Value = typename O::Value;
    using Key = typename O::Key;
    const auto tile = pairs.stretch(blockIdx.x);
    if (tile.count == 0) return;
    const Pair<O>& pair = tile.pair;
    const O& order = pairs.order;
    const Wide begin = splits[blockIdx.x], behind = tile.first + tile.count;
    const Wide end = behind == pair.aCount + pair.bCount ? pair.aCount : splits[blockIdx.x + 1];
    const unsigned aCount = countBetween(begin, end, tile.count), bCount = tile.count - aCount;
    const Packs<Value> a(pair.a + begin, aCount), b(pair.b + (tile.first - begin), bCount);
    auto* const keys = reinterpret_cast<Key*>(dynamicShared);
    stageTile<kItems>(order, keys, a, b);
    __syncthreads();

    // Places in shared memory, of both lists.
    const auto key = [&](unsigned at) { return keys[at]; };
    const unsigned aBegin = a.before, bBegin = a.count * Pack<Value>::kValues + b.before;
    const unsigned mine = threadIdx.x * kItems, k = mine < tile.count ? mine : tile.count;
    const unsigned i = coRank(
        k, aCount, bCount, [&](unsigned at) { return key(aBegin + at); },
        [&](unsigned at) { return key(bBegin + at); });
    Key merged[kItems];
    mergeItems(aBegin + i, aBegin + aCount, bBegin + k - i, bBegin + bCount, key, merged);
    __syncthreads();

    Value* const out = pair.out + tile.first;
    const unsigned before = Packs<Value>(out, tile.count).before;
    auto* const values = reinterpret_cast<Value*>(dynamicShared) + before;
    if (mine + kItems <= tile.count) {
#pragma unroll
        for (unsigned n = 0; n < kItems; ++n) values[mine + n] = order.value(merged[n]);
    } else {
#pragma unroll
        for (unsigned n = 0; n < kItems; ++n)
            if (mine + n < tile.count) values[mine + n] = order.value(merged[n]);
    }
    __syncthreads();
    storeTile(values - before, out, before, tile.count);
}

inline unsigned vectorisedTile(const TunableValues& t) {
    return blockWidthOf(t) * static_cast<unsigned>(t.at("elements_per_thread"));
}

/// The tile; each list begins and ends anywhere within a pack.
inline std::size_t vectorisedShared(const TunableValues& t, std::size_t valueBytes) {
    return vectorisedTile(t) * valueBytes + 64;
}

inline void launchVectorised(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        constexpr unsigned kThreads = VectorisedPolicy::kSplitThreads;
        const auto pairs = pairsOf(c, pass, order, vectorisedTile(t));
        const unsigned all = pairs.all();
        const bool few = t.at("elements_per_thread") == VectorisedPolicy::kFew;
        auto* const splits = static_cast<Wide*>(c.address(pass.scratch));
        launch(c, &split_tiles<O>, dim3(all / pairs.stretches, pairs.stretches / kThreads + 1), dim3(kThreads), 0,
               pairs, splits);
        launch(c, few ? &vectorised<O, VectorisedPolicy::kFew> : &vectorised<O, VectorisedPolicy::kMany>, dim3(all),
               dim3(blockWidthOf(t)), vectorisedShared(t, sizeof(typename O::Value)), pairs,
               static_cast<const Wide*>(splits));
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
