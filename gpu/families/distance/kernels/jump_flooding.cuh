// SPDX-License-Identifier: Apache-2.0
// Idea: pixels tell each other their nearest site, first far away, then nearer by half, pass after pass.
// Changed from brute: a pixel looks at 9 pixels (27 in a volume) a pass, in log2 n passes.
// Needs: two pictures of sites; not exact: a pixel may not hear of its nearest site, but of one sqrt 2 times as far at
// most (sqrt 3 in a volume).
// Block: block_width x block_height threads, no shared memory.
// Source: Rong and Tan 2006; first_pass 1 is the 1+JFA of Rong and Tan 2007; re-derived.
// Look at: wrong pixels, in the note of its check; bytes moved: every pass reads and writes all sites.
#pragma once

#include "gpu/families/distance/launching.cuh"

#include <utility>

namespace warplens::gpu::distance {
inline namespace WARPLENS_BUILD {

/// A site's place in 16 bits a coordinate: a word in a picture, two in a volume. All ones: none.
template <class Site>
__device__ Site placeOf(int x, int y, int z) {
    if constexpr (sizeof(Site) == 8)
        return static_cast<Site>(z) << 32 | static_cast<Site>(y) << 16 | static_cast<Site>(x);
    else
        return static_cast<Site>(y) << 16 | static_cast<Site>(x);
}

struct Extents {
    int width, height, depth;
    __device__ std::size_t at(int layer, int y, int x) const {
        return (static_cast<std::size_t>(layer) * height + y) * width + x;
    }
};

template <class Cost>
struct Axes {
    Axis<Cost> x, y, z;
    template <class Site>
    __device__ Wide<Cost> between(Site site, int atX, int atY, int atZ) const {
        if (site == static_cast<Site>(~Site{0})) return kNone<Cost>;
        Wide<Cost> square = x(static_cast<int>(site & 0xffffU) - atX) + y(static_cast<int>(site >> 16 & 0xffffU) - atY);
        if constexpr (sizeof(Site) == 8) square += z(static_cast<int>(site >> 32) - atZ);
        return square;
    }
};

template <class Site>
__global__ void flood_start(Sites sites, Site* nearest, Extents e, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= e.width || y >= e.height) return;
    const int layer = start.layer + blockIdx.z;
    const std::size_t at = e.at(layer, y, x);
    nearest[at] = sites[at] ? placeOf<Site>(x, y, layer % e.depth) : static_cast<Site>(~Site{0});
}

/// What the pixels `step` away know, and the pixel itself.
template <class Cost, class Site>
__global__ void flood_pass(const Site* before, Site* after, Extents e, Axes<Cost> axes, int step, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= e.width || y >= e.height) return;
    const int layer = start.layer + blockIdx.z, z = layer % e.depth;
    constexpr int kDeep = sizeof(Site) == 8 ? 1 : 0;
    Site best = before[e.at(layer, y, x)];
    Wide<Cost> nearest = axes.between(best, x, y, z);
    for (int k = -kDeep; k <= kDeep; ++k) {
        if (z + k * step < 0 || z + k * step >= e.depth) continue;
        for (int j = -1; j <= 1; ++j) {
            const int fromY = y + j * step;
            if (fromY < 0 || fromY >= e.height) continue;
            for (int i = -1; i <= 1; ++i) {
                const int fromX = x + i * step;
                if (fromX < 0 || fromX >= e.width) continue;
                const Site told = before[e.at(layer + k * step, fromY, fromX)];
                const Wide<Cost> apart = axes.between(told, x, y, z);
                if (apart >= nearest) continue;
                nearest = apart;
                best = told;
            }
        }
    }
    after[e.at(layer, y, x)] = best;
}

template <class Cost, class Site>
__global__ void flood_end(const Site* nearest, Sink<Cost> out, Extents e, Axes<Cost> axes, Start start) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = start.row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= e.width || y >= e.height) return;
    const int layer = start.layer + blockIdx.z;
    const std::size_t at = e.at(layer, y, x);
    out.store(at, axes.between(nearest[at], x, y, layer % e.depth));
}

inline Footprint jumpFloodingFootprint(const Case&, const TunableValues& t) { return pixelFootprint(t); }

inline std::size_t jumpFloodingScratch(const Case& c) {
    return 2 * static_cast<std::size_t>(c.values()) * (c.depth > 1 ? 8 : 4);
}

template <class Site>
void launchFlooding(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const Extents e{a.width, a.height, a.depth};
    auto* before = static_cast<Site*>(c.address(a.scratch));
    Site* after = before + a.values();
    const auto everywhere = [&](auto f) { forTiles(a, t.at("block_width"), t.at("block_height"), 100, f); };
    everywhere([&](const dim3& grid, Start start) {
        launch(c, &flood_start<Site>, grid, blockOf(t), 0, sitesOf(c, a), before, e, start);
    });
    dispatch(a, [&]<class Cost>(Cost) {
        const Axes<Cost> axes{axisOf<Cost>(a, 0), axisOf<Cost>(a, 1), axisOf<Cost>(a, 2)};
        const auto pass = [&](int step) {
            everywhere([&](const dim3& grid, Start start) {
                launch(c, &flood_pass<Cost, Site>, grid, blockOf(t), 0, static_cast<const Site*>(before), after, e,
                       axes, step, start);
            });
            std::swap(before, after);
        };
        if (t.at("first_pass") == 1) pass(1);
        int step = 1;
        while (2 * step < std::max({a.width, a.height, a.depth})) step *= 2;
        for (; step > 0; step /= 2) pass(step);
        everywhere([&](const dim3& grid, Start start) {
            launch(c, &flood_end<Cost, Site>, grid, blockOf(t), 0, static_cast<const Site*>(before),
                   resultOf<Cost>(c, a), e, axes, start);
        });
    });
}

inline void launchJumpFlooding(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    if (a.depth > 1)
        launchFlooding<unsigned long long>(c, a, t);
    else
        launchFlooding<unsigned>(c, a, t);
}

KernelEntry jump_flooding_entry() {
    return {.launch = &launchJumpFlooding,
            .footprint = &jumpFloodingFootprint,
            .scratchBytes = &jumpFloodingScratch,
            .approximate = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::distance
