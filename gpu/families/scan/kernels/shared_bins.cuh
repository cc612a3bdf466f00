// SPDX-License-Identifier: Apache-2.0
// Idea: a block counts its share of a tile in shared memory and adds its 256 counts to the tile's once.
// Changed from global_bins: atomics stay within the block; global memory sees 256 a block.
// Needs: u8.
// Block: block_width threads, 1 KiB of shared memory.
// Source: Podlozhnyuk, Histogram Calculation in CUDA, NVIDIA 2007; re-derived.
// Look at: global atomics, next to none.
#pragma once

#include "gpu/families/scan/bins.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void shared_bins(const T* in, unsigned* counts, Bins b) {
    __shared__ unsigned own[256];
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
    __syncthreads();
    forTile(in, b, [&](T value) { atomicAdd(&own[value], 1U); });
    __syncthreads();
    unsigned* const all = countsOfTile(counts, b);
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
        if (own[i] > 0) atomicAdd(&all[i], own[i]);
}

inline void launchSharedBins(LaunchContext& c, const Bins& b, const TunableValues& t) {
    launch(c, &shared_bins<std::uint8_t>, binsGrid(b), dim3(blockWidthOf(t)), 0,
           static_cast<const std::uint8_t*>(c.address(b.input)), static_cast<unsigned*>(c.address(b.counts)), b);
}

KernelEntry shared_bins_entry() { return {.count = &launchSharedBins, .footprint = &binsFootprint, .halves = false}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
