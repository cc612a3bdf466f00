// SPDX-License-Identifier: Apache-2.0
// Idea: where two lists are cut so that both halves of the output are equally long, each part can be merged alone.
// Changed from naive: a thread searches once, for the first of outputs_per_thread outputs, and merges on in sequence.
// Needs: two sorted lists side by side.
// Block: block_width threads; nothing shared.
// Source: Kirk and Hwu, 4th ed., sections 12.3 to 12.5; bounds of the search as Green, McColl and Bader; re-derived.
// Look at: steps of search an output; and sectors, as neighbouring threads read and write far apart.
#pragma once

#include "gpu/families/merge/launching.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

template <class O>
__global__ void co_rank(Pairs<O> pairs, unsigned outputs) {
    const auto stretch = pairs.stretch(blockIdx.x);
    const unsigned mine = threadIdx.x * outputs;
    if (mine >= stretch.count) return;
    const Pair<O>& pair = stretch.pair;
    const Wide k = stretch.first + mine, i = pair.fromA(k);
    const unsigned left = stretch.count - mine;
    mergeRun(
        i, pair.aCount, k - i, pair.bCount, left < outputs ? left : outputs, [&](Wide at) { return pair.keyA(at); },
        [&](Wide at) { return pair.keyB(at); },
        [&](unsigned n, typename O::Key key) { pair.out[k + n] = pair.order.value(key); });
}

inline void launchCoRank(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        const unsigned threads = blockWidthOf(t), outputs = outputsOf(t);
        const auto pairs = pairsOf(c, pass, order, threads * outputs);
        launch(c, &co_rank<O>, dim3(pairs.all()), dim3(threads), 0, pairs, outputs);
    });
}

inline Footprint coRankFootprint(const TunableValues& t) {
    return stretchFootprint(blockWidthOf(t), blockWidthOf(t) * outputsOf(t), false);
}

KernelEntry co_rank_entry() { return {.merge = &launchCoRank, .footprint = &coRankFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
