// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes 16 bytes of each plane; its warp's pixels go through shared memory so that accesses are whole.
// Changed from pixel_per_thread: channels part in registers by the byte; memory sees 16 bytes per thread side by side.
// Needs: three or four channels. Where planes start between two packs, a lane's stores begin in its neighbour's pack.
// Block: block_width threads, 16 bytes of shared memory a thread and channel; its warps do not wait for each other.
// Source: the exchange within a warp is CUB's WarpExchange, re-derived; joining by the byte is our own.
// Look at: 16 sectors per request on both sides, a wavefront for 128 bytes of shared memory, no barrier of the block.
#pragma once

#include "gpu/families/layout/launching.cuh"

namespace warplens::gpu::layout {
inline namespace WARPLENS_BUILD {

inline std::size_t stagedPacksBytes(const Case& of, const TunableValues& t) {
    return packedBytes(t.at("block_width"), of.packing.channels);
}

inline void launchStagedPacks(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchPacking(c, a, [&]<class T>(const Packed<T>& p) { launchPacked(c, p, t.at("block_width")); });
}

inline Footprint stagedPacksFootprint(const Case& of, const TunableValues& t) {
    const int w = t.at("block_width");
    return {.blockWidth = w,
            .blockHeight = 1,
            .tileWidth = w * of.valuesAPack(),
            .tileHeight = 1,
            .staged = true,
            .order = Order::rows};
}

KernelEntry staged_packs_entry() {
    return {.launch = &launchStagedPacks,
            .footprint = &stagedPacksFootprint,
            .sharedBytes = &stagedPacksBytes,
            .refusal = &manyPacksOnly};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::layout
