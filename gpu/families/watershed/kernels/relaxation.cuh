// SPDX-License-Identifier: Apache-2.0
// Idea: every pixel takes over what its neighbour on the way up knows of the peak, pass after pass.
// Changed: nothing, this is where the ladder starts.
// Needs: as many passes as the longest way up, and a look at each whether something changed.
// Block: block_width threads, no shared memory.
// Source: the definition; Meyer 1994 has it as hill climbing.
// Look at: launches, most of which change a few pixels.
#pragma once

#include "gpu/families/watershed/launching.cuh"

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void relaxation(const Word* uphill, Word* peak, Word* changes, Word pixels) {
    const Word p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels || uphill[p] == kOutside) return;
    const Word known = relaxedLoad(&peak[uphill[p]]);
    if (known == relaxedLoad(&peak[p])) return;
    relaxedStore(&peak[p], known);
    relaxedStore(changes, Word{1});
}

inline void launchRelaxation(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    launch(c, &relaxation<unsigned>, blocksFor(a.pixels(), block), dim3(block), 0, wordsAt(c, a.uphill),
           wordsAt(c, a.peak), wordsAt(c, a.changes), static_cast<unsigned>(a.pixels()));
}

KernelEntry relaxation_entry() { return {.launch = &launchRelaxation, .footprint = &lineFootprint, .repeats = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
