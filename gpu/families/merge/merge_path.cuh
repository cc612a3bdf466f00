// SPDX-License-Identifier: Apache-2.0
#pragma once

// Merge path with a search of its own: a first kernel finds where every tile begins in both runs, so that a block loads
// just its tile. What vectorised and asynchronous have in common.

#include "gpu/families/merge/launching.cuh"
#include "gpu/kernels/load_once.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// Values a thread: odd, and not too few for the last pack. A sort takes few, as its first runs are short.
struct PathPolicy {
    static constexpr unsigned kFew = kSortItems, kMany = 23;
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

/// Cuts a stretch out of its pair by what was searched for it and for the next one.
template <class O>
__device__ Section<O> sectionOf(const Stretch<O>& stretch, const Wide* splits) {
    const Pair<O>& pair = stretch.pair;
    const Wide begin = splits[blockIdx.x], behind = stretch.first + stretch.count;
    const Wide end = behind == pair.aCount + pair.bCount ? pair.aCount : splits[blockIdx.x + 1];
    const unsigned aCount = countBetween(begin, end, stretch.count);
    return {pair.a + begin, pair.b + (stretch.first - begin), aCount, stretch.count - aCount, pair.out + stretch.first};
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

/// Merges both lists of a tile, which lie in shared memory as their packs do, and stores what comes of it. `key` gives
/// keys by their place there.
template <unsigned kItems, class O, class At, class V = typename O::Value>
__device__ void mergeTile(const O& order, const Section<O>& section, const Packs<V>& a, const Packs<V>& b, At key) {
    using Key = typename O::Key;
    const unsigned aCount = section.aCount, bCount = section.bCount, count = aCount + bCount;
    const unsigned aBegin = a.before, bBegin = a.count * Pack<V>::kValues + b.before;
    const unsigned mine = threadIdx.x * kItems, k = mine < count ? mine : count;
    const unsigned i = coRank(
        k, aCount, bCount, [&](unsigned at) { return key(aBegin + at); },
        [&](unsigned at) { return key(bBegin + at); });
    Key merged[kItems];
    mergeItems(aBegin + i, aBegin + aCount, bBegin + k - i, bBegin + bCount, key, merged);
    __syncthreads();

    const unsigned before = Packs<V>(section.out, count).before;
    V* const values = reinterpret_cast<V*>(dynamicShared) + before;
    if (mine + kItems <= count) {
#pragma unroll
        for (unsigned n = 0; n < kItems; ++n) values[mine + n] = order.value(merged[n]);
    } else {
#pragma unroll
        for (unsigned n = 0; n < kItems; ++n)
            if (mine + n < count) values[mine + n] = order.value(merged[n]);
    }
    __syncthreads();
    storeTile(values - before, section.out, before, count);
}

inline unsigned pathTile(const TunableValues& t) {
    return blockWidthOf(t) * static_cast<unsigned>(t.at("elements_per_thread"));
}

/// The tile; each list begins and ends anywhere within a pack.
inline std::size_t pathShared(const TunableValues& t, std::size_t valueBytes, const Lists&) {
    return pathTile(t) * valueBytes + 64;
}

inline std::size_t pathScratch(const Pass& pass, const TunableValues& t) {
    return stretchesOf(pass, pathTile(t)) * sizeof(Wide);
}

inline Footprint pathFootprint(const TunableValues& t) { return stretchFootprint(blockWidthOf(t), pathTile(t), true); }

/// The search, then the kernel of so many values a thread.
template <class O>
void launchPath(LaunchContext& c, const Pass& pass, const O& order, const TunableValues& t,
                void (*few)(Pairs<O>, const Wide*), void (*many)(Pairs<O>, const Wide*)) {
    constexpr unsigned kThreads = 128;
    const auto pairs = pairsOf(c, pass, order, pathTile(t));
    const unsigned all = pairs.all();
    auto* const splits = static_cast<Wide*>(c.address(pass.scratch));
    launch(c, &split_tiles<O>, dim3(all / pairs.stretches, pairs.stretches / kThreads + 1), dim3(kThreads), 0, pairs,
           splits);
    launch(c, t.at("elements_per_thread") == PathPolicy::kFew ? few : many, dim3(all), dim3(blockWidthOf(t)),
           pathShared(t, sizeof(typename O::Value), pass.lists), pairs, static_cast<const Wide*>(splits));
}

inline KernelEntry pathEntry(void (*merge)(LaunchContext&, const Pass&, const TunableValues&)) {
    return {.merge = merge, .footprint = &pathFootprint, .sharedBytes = &pathShared, .scratchBytes = &pathScratch};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
