// SPDX-License-Identifier: Apache-2.0
// Idea: what stands before and after passes of merging, the same for every variant: tiles sorted by a block, and
// quantiles.
// Changed from: -
// Needs: nothing.
// Block: 256 threads, 15 values each in registers, 3,840 keys of shared memory.
// Source: Batcher 1968 (transposition network); Satish, Harris and Garland 2009; re-derived.
// Look at: a thread's own values never leave its registers until they are merged with its neighbours'.
#pragma once

#include "gpu/families/merge/launching.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// Of lists cut into tiles one behind the other.
template <class O>
struct Tiles {
    O order;
    const typename O::Value* in;
    typename O::Value* out;
    Lists lists;
    Wide tiles;  ///< a list
};

/// A thread's own keys in order, by a network that exchanges neighbours.
template <class Key>
__device__ void sortItems(Key (&keys)[kSortItems]) {
#pragma unroll
    for (unsigned step = 0; step < kSortItems; ++step) {
#pragma unroll
        for (unsigned i = step % 2; i + 1 < kSortItems; i += 2) {
            const Key a = keys[i], b = keys[i + 1];
            keys[i] = b < a ? b : a;
            keys[i + 1] = b < a ? a : b;
        }
    }
}

/// What lies beyond a list's end takes part as the largest key, which nothing tells from the list's own.
template <class O>
__global__ void sort_tiles(Tiles<O> all) {
    using Key = typename O::Key;
    Key* const keys = reinterpret_cast<Key*>(dynamicShared);
    const Wide list = blockIdx.x / all.tiles, begin = blockIdx.x % all.tiles * kSortTile;
    const Wide at = all.lists.first + list * all.lists.stride + begin, left = all.lists.length - begin;
    const unsigned count = left < kSortTile ? static_cast<unsigned>(left) : kSortTile;
    for (unsigned i = threadIdx.x; i < kSortTile; i += kSortThreads)
        keys[i] = i < count ? all.order.onlyNaN(all.order.key(all.in[at + i])) : O::kLargest;
    __syncthreads();
    const unsigned mine = threadIdx.x * kSortItems;
    Key own[kSortItems];
#pragma unroll
    for (unsigned n = 0; n < kSortItems; ++n) own[n] = keys[mine + n];
    sortItems(own);
    for (unsigned run = kSortItems; run < count; run *= 2) {
#pragma unroll
        for (unsigned n = 0; n < kSortItems; ++n) keys[mine + n] = own[n];
        __syncthreads();
        const unsigned first = mine / (2 * run) * (2 * run), k = mine - first;
        const auto key = [&](unsigned place) { return keys[place]; };
        const unsigned i = coRank(
            k, run, run, [&](unsigned place) { return key(first + place); },
            [&](unsigned place) { return key(first + run + place); });
        mergeItems(first + i, first + run, first + run + k - i, first + 2 * run, key, own);
        __syncthreads();
    }
#pragma unroll
    for (unsigned n = 0; n < kSortItems; ++n) keys[mine + n] = own[n];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += kSortThreads) all.out[at + i] = all.order.value(keys[i]);
}

/// A block a list, a thread a quantile of those values that are numbers.
template <class O>
__global__ void pick(O order, const typename O::Value* in, Wide* out, Lists lists, Shares shares) {
    const auto* const values = in + lists.first + blockIdx.x * lists.stride;
    // The last value says of most lists that all are numbers, without a search from load to load.
    Wide high = lists.length, low = order.number(order.key(values[high - 1])) ? high : 0;
    while (low < high) {
        const Wide middle = low + (high - low) / 2;
        if (order.number(order.key(values[middle])))
            low = middle + 1;
        else
            high = middle;
    }
    constexpr unsigned kQuantiles = Picks::kWords - 1;
    if (threadIdx.x > kQuantiles) return;
    Wide word = low;
    if (threadIdx.x < kQuantiles) word = values[shares.place(threadIdx.x, low)];
    out[blockIdx.x * Picks::kWords + threadIdx.x] = word;
}

inline void launchSortTiles(LaunchContext& c, const Pass& pass) {
    dispatch(pass.type, [&]<class O>(O order) {
        using Value = typename O::Value;
        const Wide tiles = ceilDivWide(pass.lists.length, kSortTile);
        const Tiles<O> all{order, static_cast<const Value*>(c.address(pass.input)),
                           static_cast<Value*>(c.address(pass.output)), pass.lists, tiles};
        launch(c, &sort_tiles<O>, dim3(static_cast<unsigned>(tiles * pass.lists.count)), dim3(kSortThreads),
               kSortTile * sizeof(typename O::Key), all);
    });
}

inline void launchPick(LaunchContext& c, const Picks& picks) {
    dispatch(picks.type, [&]<class O>(O order) {
        launch(c, &pick<O>, dim3(static_cast<unsigned>(picks.lists.count)), dim3(32), 0, order,
               static_cast<const typename O::Value*>(c.address(picks.input)),
               static_cast<Wide*>(c.address(picks.output)), picks.lists, sharesOfPicks());
    });
}

StepsEntry steps_entry() { return {.sortTiles = &launchSortTiles, .pick = &launchPick}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
