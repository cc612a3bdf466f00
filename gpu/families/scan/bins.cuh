// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of a tile of a picture, which may go over its right and lower edge: there it is mirrored.

#include "gpu/families/scan/launching.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct BinsPolicy {
    /// Values a block counts at least, so that it has something to add up.
    static constexpr int kValuesPerBlock = 16384;
};

/// A place beyond the end comes back, the last value not doubled.
__device__ inline int mirrored(int at, int extent) {
    if (extent == 1) return 0;
    while (at < 0 || at >= extent) at = at < 0 ? -at : 2 * extent - 2 - at;
    return at;
}

/// Blocks of x share the tile y of slice z. Calls f(value) for this thread's values.
template <class T, class F>
__device__ void forTile(const T* in, const Bins& b, F f) {
    const T* const slice = in + Wide{blockIdx.z} * b.width * b.height;
    const int left = static_cast<int>(blockIdx.y) % b.tilesX * b.tileWidth;
    const int top = static_cast<int>(blockIdx.y) / b.tilesX * b.tileHeight;
    const unsigned pixels = static_cast<unsigned>(b.tileWidth) * b.tileHeight;
    for (Wide i = Wide{blockIdx.x} * blockDim.x + threadIdx.x; i < pixels; i += Wide{gridDim.x} * blockDim.x) {
        const int x = mirrored(left + static_cast<int>(i % b.tileWidth), b.width);
        const int y = mirrored(top + static_cast<int>(i / b.tileWidth), b.height);
        f(slice[Wide(y) * b.width + x]);
    }
}

/// Where the counts of this block's tile are.
__device__ inline unsigned* countsOfTile(unsigned* counts, const Bins& b) {
    return counts + (Wide{blockIdx.z} * b.tilesX * b.tilesY + blockIdx.y) * b.bins;
}

inline dim3 binsGrid(const Bins& b) {
    const auto pixels = std::int64_t{b.tileWidth} * b.tileHeight;
    const auto blocks = (pixels + BinsPolicy::kValuesPerBlock - 1) / BinsPolicy::kValuesPerBlock;
    return {static_cast<unsigned>(blocks), static_cast<unsigned>(b.tilesX * b.tilesY), static_cast<unsigned>(b.slices)};
}

inline Footprint binsFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), BinsPolicy::kValuesPerBlock, false);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
