// SPDX-License-Identifier: Apache-2.0
// Idea: every thread walks up to the peak by itself, in one launch.
// Changed from relaxation: no passes, and nobody is asked whether they are enough; neighbours walk the same way twice.
// Needs: nothing; threads of a warp wait for the longest of their ways.
// Block: block_width threads, no shared memory.
// Source: Koerbes et al. 2011, hill climbing by path.
// Look at: active lanes, and loads per pixel.
#pragma once

#include "gpu/families/watershed/launching.cuh"

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

template <class Word>
__global__ void walking(Word* peak, Word pixels) {
    const Word p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    Word node = relaxedLoad(&peak[p]);
    if (node == kOutside) return;
    // Others store what lies further up meanwhile, which shortens the way.
    for (Word above = relaxedLoad(&peak[node]); above != node && above < pixels; above = relaxedLoad(&peak[node]))
        node = above;
    relaxedStore(&peak[p], node);
}

inline void launchWalking(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto block = static_cast<unsigned>(t.at("block_width"));
    launch(c, &walking<unsigned>, blocksFor(a.pixels(), block), dim3(block), 0, wordsAt(c, a.peak),
           static_cast<unsigned>(a.pixels()));
}

KernelEntry walking_entry() { return {.launch = &launchWalking, .footprint = &lineFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
