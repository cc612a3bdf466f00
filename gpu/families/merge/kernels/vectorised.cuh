// SPDX-License-Identifier: Apache-2.0
// Idea: a first kernel searches where every tile begins, so that a block loads just its tile, all of it at once.
// Changed from circular_buffer: 16 bytes per load and store; results go through shared memory to be stored in order.
// Needs: nothing of alignment: packs begin before a tile does and end after it.
// Block: block_width threads; block_width x elements_per_thread values and 64 bytes of shared memory.
// Source: Green, McColl and Bader 2012; Baxter, moderngpu, 2013; CUB, AgentMerge; re-derived.
// Look at: sectors: every value once in, once out; a thread's values are odd in number: lanes store to all banks.
#pragma once

#include "gpu/families/merge/merge_path.cuh"

#include <cstring>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

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

template <class O, unsigned kItems>
__global__ void vectorised(Pairs<O> pairs, const Wide* splits) {
    using Value = typename O::Value;
    const auto tile = pairs.stretch(blockIdx.x);
    if (tile.count == 0) return;
    const Section<O> section = sectionOf(tile, splits);
    const Packs<Value> a(section.a, section.aCount), b(section.b, section.bCount);
    auto* const keys = reinterpret_cast<typename O::Key*>(dynamicShared);
    stageTile<kItems>(pairs.order, keys, a, b);
    __syncthreads();
    mergeTile<kItems>(pairs.order, section, a, b, [&](unsigned at) { return keys[at]; });
}

inline void launchVectorised(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        launchPath(c, pass, order, t, &vectorised<O, PathPolicy::kFew>, &vectorised<O, PathPolicy::kMany>);
    });
}

KernelEntry vectorised_entry() { return pathEntry(&launchVectorised); }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
