// SPDX-License-Identifier: Apache-2.0
// Idea: a pixel takes over what the pixel knows that it knows itself, so that each pass doubles the way it sees.
// Changed from relaxation: the logarithm of its passes.
// Needs: a look at each pass whether something changed.
// Block: block_width threads, no shared memory.
// Source: Wyllie 1979, pointer jumping; for watersheds Wagner, Mueller and Hagenbuch 2010.
// Look at: launches, and sectors per load: what is jumped to lies anywhere.
#pragma once

#include "gpu/families/watershed/launching.cuh"

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void jumping(Word* peak, Word* changes, Word pixels) {
    const Word p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    const Word known = relaxedLoad(&peak[p]);
    if (known == kOutside) return;
    const Word above = relaxedLoad(&peak[known]);
    if (above == known) return;
    relaxedStore(&peak[p], above);
    relaxedStore(changes, Word{1});
}

inline void launchJumping(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    launch(c, &jumping<unsigned>, blocksFor(a.pixels(), block), dim3(block), 0, wordsAt(c, a.peak),
           wordsAt(c, a.changes), static_cast<unsigned>(a.pixels()));
}

KernelEntry jumping_entry() { return {.launch = &launchJumping, .footprint = &lineFootprint, .repeats = true}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
