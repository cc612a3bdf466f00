// SPDX-License-Identifier: Apache-2.0
// Idea: what a round leaves over stays where it is in shared memory; the next one fills up only what was consumed.
// Changed from tiled: a tile is a ring, whose head moves on by what was taken from it.
// Needs: shared memory for two tiles.
// Block: block_width threads, 2 x block_width x outputs_per_thread values of shared memory.
// Source: Kirk and Hwu, 4th ed., section 12.7; re-derived.
// Look at: loads: each value once, half of tiled's; every access goes round the ring's end.
#pragma once

#include "gpu/families/merge/rounds.cuh"

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// A stretch of a list, the part of it that is next in a ring of `size` keys.
template <class O>
struct Ring {
    typename O::Key* keys;
    unsigned size, head = 0;
    unsigned loaded = 0, taken = 0;  ///< of the list, so far

    __device__ unsigned place(unsigned i) const {
        const unsigned at = head + i;
        return at < size ? at : at - size;
    }
    __device__ typename O::Key operator()(unsigned i) const { return keys[place(i)]; }
    __device__ unsigned held() const { return loaded - taken; }
    /// Loads as many of `count` values as there is room for.
    __device__ void fill(const O& order, const typename O::Value* list, unsigned count) {
        const unsigned more = lesser(size - held(), count - loaded);
        for (unsigned i = threadIdx.x; i < more; i += blockDim.x) keys[place(held() + i)] = order.key(list[loaded + i]);
        loaded += more;
    }
    __device__ void take(unsigned count) {
        head = place(count);
        taken += count;
    }
};

template <class O>
__global__ void circular_buffer(Pairs<O> pairs, unsigned outputs) {
    const auto stretch = pairs.stretch(blockIdx.x);
    if (stretch.count == 0) return;
    const auto section = sectionOf(stretch);
    const unsigned tile = blockDim.x * outputs;
    Ring<O> a{sharedKeys<O>(), tile}, b{sharedKeys<O>() + tile, tile};
    for (unsigned done = 0; done < stretch.count; done += tile) {
        a.fill(pairs.order, section.a, section.aCount);
        b.fill(pairs.order, section.b, section.bCount);
        __syncthreads();
        const unsigned count = lesser(tile, stretch.count - done);
        const unsigned fromA = mergeRound(pairs.order, section.out + done, count, outputs, a.held(), b.held(), a, b);
        __syncthreads();
        a.take(fromA);
        b.take(count - fromA);
    }
}

inline void launchCircularBuffer(LaunchContext& c, const Pass& pass, const TunableValues& t) {
    dispatch(pass.type, [&]<class O>(O order) { launchRounds(c, pass, order, t, &circular_buffer<O>); });
}

KernelEntry circular_buffer_entry() {
    return {.merge = &launchCircularBuffer, .footprint = &roundsFootprint, .sharedBytes = &roundsShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
