// SPDX-License-Identifier: Apache-2.0
// Idea: one thread makes one output: it searches its diagonal for how many values before it come from either list.
// Changed from: -
// Needs: two sorted lists side by side.
// Block: block_width threads; nothing shared.
// Source: Green, McColl and Bader, GPU Merge Path, ICS 2012; re-derived.
// Look at: steps of search: log2 of the list's length, twice a load, for every single output.
#pragma once

#include "gpu/families/merge/launching.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

template <class O>
__global__ void naive(Pairs<O> pairs) {
    const auto stretch = pairs.stretch(blockIdx.x);
    if (threadIdx.x >= stretch.count) return;
    const Pair<O>& pair = stretch.pair;
    const Wide k = stretch.first + threadIdx.x, i = pair.fromA(k), j = k - i;
    const bool takesA = j >= pair.bCount || (i < pair.aCount && !(pair.keyB(j) < pair.keyA(i)));
    pair.out[k] = takesA ? pair.a[i] : pair.b[j];
}

inline void launchNaive(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) {
        launchStretches(c, pass, order, blockWidthOf(t), blockWidthOf(t), 0, &naive<O>);
    });
}

inline Footprint naiveFootprint(const TunableValues& t) {
    return stretchFootprint(blockWidthOf(t), blockWidthOf(t), false);
}

KernelEntry naive_entry() { return {.merge = &launchNaive, .footprint = &naiveFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
