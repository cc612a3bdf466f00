// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every rung needs: pixels by number, and where scratch lies.

#include "gpu/families/watershed/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/relaxed.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::watershed {
inline namespace WARPLENS_BUILD {

constexpr unsigned kOutside = 0xffffffffU;
constexpr unsigned kThreads = 256;

inline unsigned* wordsAt(LaunchContext& c, std::uint64_t handle) { return static_cast<unsigned*>(c.address(handle)); }

inline dim3 blocksFor(std::size_t threads, unsigned block) {
    return dim3(static_cast<unsigned>((threads + block - 1) / block));
}

/// Calls f(q) for the neighbours of pixel p: 8 at most in its slice, 26 in a volume that is split as a whole.
template <class F>
__device__ void eachNeighbour(const Case& of, unsigned p, F f) {
    const int x = static_cast<int>(p % of.width), y = static_cast<int>(p / of.width % of.height);
    const int z = static_cast<int>(p / of.width / of.height), slices = of.whole ? 1 : 0;
    for (int dz = -slices; dz <= slices; ++dz) {
        if (z + dz < 0 || z + dz >= of.depth) continue;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if ((dx != 0 || dy != 0 || dz != 0) && x + dx >= 0 && x + dx < of.width && y + dy >= 0 &&
                    y + dy < of.height)
                    f(p + (dz * of.height + dy) * of.width + dx);
    }
}

inline Footprint lineFootprint(const TunableValues& t) {
    const int threads = t.at("block_width");
    return {.blockWidth = threads, .blockHeight = 1, .tileWidth = threads, .tileHeight = 1, .order = Order::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::watershed
