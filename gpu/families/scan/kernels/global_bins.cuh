// SPDX-License-Identifier: Apache-2.0
// Idea: equalise and clahe count grey values where the counts stay, in global memory; then scan, table, look-up.
// Changed from nothing: the start of a ladder of its own.
// Needs: u8 or u16.
// Block: block_width threads, no shared memory.
// Source: Pizer et al., Adaptive Histogram Equalization and Its Variations, 1987; counting our own.
// Look at: atomics of one grey value queue up; a table of 65,536 bins is summed as one of 256 is.
#pragma once

#include "gpu/families/scan/bins.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void global_bins(const T* in, unsigned* counts, Bins b) {
    unsigned* const own = countsOfTile(counts, b);
    forTile(in, b, [&](T value) { atomicAdd(&own[value], 1U); });
}

inline void launchGlobalBins(LaunchContext& c, const Bins& b, const TunableValues& t) {
    const auto call = [&]<class T>(T) {
        launch(c, &global_bins<T>, binsGrid(b), dim3(blockWidthOf(t)), 0, static_cast<const T*>(c.address(b.input)),
               static_cast<unsigned*>(c.address(b.counts)), b);
    };
    if (b.type == io::PixelType::u8) return call(std::uint8_t{});
    call(std::uint16_t{});
}

KernelEntry global_bins_entry() { return {.count = &launchGlobalBins, .footprint = &binsFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
