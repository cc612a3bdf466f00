// SPDX-License-Identifier: Apache-2.0
#pragma once

// A block that merges a stretch in rounds, from tiles of both lists in shared memory: what tiled and circular_buffer
// have in common.

#include "gpu/families/merge/launching.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

struct RoundsPolicy {
    static constexpr unsigned kRounds = 8;  ///< a block: what the two searches in global memory are shared by
};

/// Cuts a stretch out of its pair: two threads of different warps search the diagonals of its first and its last
/// output.
template <class O>
__device__ Section<O> sectionOf(const Stretch<O>& stretch) {
    __shared__ Wide ends[2];
    const Pair<O>& pair = stretch.pair;
    if (threadIdx.x == 0) ends[0] = pair.fromA(stretch.first);
    if (threadIdx.x == 32) ends[1] = pair.fromA(stretch.first + stretch.count);
    __syncthreads();
    const Wide i = ends[0];
    const unsigned aCount = countBetween(i, ends[1], stretch.count);
    return {pair.a + i, pair.b + (stretch.first - i), aCount, stretch.count - aCount, pair.out + stretch.first};
}

/// A round: `count` outputs from tiles whose places a(place) and b(place) give keys of. Returns how many came from a.
template <class O, class A, class B>
__device__ unsigned mergeRound(const O& order, typename O::Value* out, unsigned count, unsigned outputs,
                               unsigned aCount, unsigned bCount, A a, B b) {
    const unsigned k = threadIdx.x * outputs;
    if (k < count) {
        const unsigned i = coRank(k, aCount, bCount, a, b), left = count - k;
        mergeRun(i, aCount, k - i, bCount, left < outputs ? left : outputs, a, b,
                 [&](unsigned n, typename O::Key key) { out[k + n] = order.value(key); });
    }
    return coRank(count, aCount, bCount, a, b);
}

__device__ inline unsigned lesser(unsigned a, unsigned b) { return a < b ? a : b; }

template <class O>
__device__ typename O::Key* sharedKeys() {
    return reinterpret_cast<typename O::Key*>(dynamicShared);
}

inline unsigned tileOf(const TunableValues& t) { return blockWidthOf(t) * outputsOf(t); }

inline std::size_t roundsShared(const TunableValues& t, std::size_t valueBytes, const Lists&) {
    return 2 * tileOf(t) * valueBytes;
}

inline Footprint roundsFootprint(const TunableValues& t) {
    return stretchFootprint(blockWidthOf(t), RoundsPolicy::kRounds * tileOf(t), true);
}

template <class O>
void launchRounds(LaunchContext& c, const Pass& pass, O order, const TunableValues& t,
                  void (*kernel)(Pairs<O>, unsigned)) {
    const auto pairs = pairsOf(c, pass, order, RoundsPolicy::kRounds * tileOf(t));
    launch(c, kernel, dim3(pairs.all()), dim3(blockWidthOf(t)), roundsShared(t, sizeof(typename O::Value), pass.lists),
           pairs, outputsOf(t));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
