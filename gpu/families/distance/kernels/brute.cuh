// SPDX-License-Identifier: Apache-2.0
// Idea: one thread a pixel looks at every other pixel, as the definition says.
// Changed from nothing: the start of the ladder.
// Needs: patience: the work is the square of the number of pixels.
// Block: block_width x block_height threads, no shared memory.
// Source: the definition.
// Look at: loads per thread: as many as the picture has pixels, all lanes of a warp the same one.
#pragma once

#include "gpu/families/distance/launching.cuh"

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

template <class Cost>
__global__ void brute(Sites sites, Sink<Cost> out, int width, int height, int depth, Axis<Cost> alongX,
                      Axis<Cost> alongY, Axis<Cost> alongZ, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int layer = start.layer + blockIdx.z, z = layer % depth;
    const std::size_t slice = static_cast<std::size_t>(width) * height;
    std::size_t at = static_cast<std::size_t>(layer - z) * slice;
    Wide<Cost> nearest = kNone<Cost>;
    for (int k = 0; k < depth; ++k) {
        for (int j = 0; j < height; ++j) {
            const Wide<Cost> fixed = alongZ(k - z) + alongY(j - y);
            for (int i = 0; i < width; ++i, ++at) {
                const Wide<Cost> apart = fixed + alongX(i - x);
                if (sites[at] && apart < nearest) nearest = apart;
            }
        }
    }
    out.store(static_cast<std::size_t>(layer) * slice + static_cast<std::size_t>(y) * width + x, nearest);
}

inline Footprint bruteFootprint(const Case&, const TunableValues& t) { return pixelFootprint(t); }

inline void launchBrute(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class Cost>(Cost) {
        const double others = 8.0 * a.width * a.height * a.depth;
        forTiles(a, t.at("block_width"), t.at("block_height"), others, [&](const dim3& grid, Start start) {
            launch(c, &brute<Cost>, grid, blockOf(t), 0, sitesOf(c, a), resultOf<Cost>(c, a), a.width, a.height,
                   a.depth, axisOf<Cost>(a, 0), axisOf<Cost>(a, 1), axisOf<Cost>(a, 2), start);
        });
    });
}

inline std::string bruteRefusal(const Case& c, const DeviceInfo& device) {
    const std::int64_t most = device.ranks() ? std::int64_t{1} << 20 : std::int64_t{1} << 14;
    const std::int64_t pixels = std::int64_t{c.width} * c.height * c.depth;
    if (pixels <= most) return {};
    return "would compare each of " + std::to_string(pixels) + " pixels with all others: takes " +
           std::to_string(most) + " at most on this device";
}

KernelEntry brute_entry() { return {.launch = &launchBrute, .footprint = &bruteFootprint, .refusal = &bruteRefusal}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
