// SPDX-License-Identifier: Apache-2.0
// Idea: a block stages its cells and their halo in shared memory; the block is as large as the tile it stages.
// Changed from naive: a value is read from global memory once per block; threads on the tile's halo only load.
// Needs: any pattern, any extent; a block of at least 3 cells along every axis in use.
// Block: w x h x d threads (d 1 below 3D), 4 w h d bytes shared; (w-2)(h-2)(d-2) of them write in 3D.
// Source: Kirk and Hwu, 4th ed., section 8.3, figure 8.8; re-derived.
// Look at: how few of a 3D block's threads write, since a small cube has more halo than interior.
#pragma once

#include "gpu/families/stencil/field.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

template <Pattern P>
__global__ void tiled(Field f, Weights k) {
    const int width = blockDim.x, height = blockDim.y, depth = blockDim.z;
    const int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    const int x = static_cast<int>(blockIdx.x) * (width - 2) + tx - 1;
    const int y = static_cast<int>(blockIdx.y) * (height - 2 * kReachY<P>)+ty - kReachY<P>;
    const int z = static_cast<int>(blockIdx.z) * (depth - 2 * kReachZ<P>)+tz - kReachZ<P>;

    float* here = dynamicShared + (tz * height + ty) * width + tx;
    *here = f.at(x, y, z);
    __syncthreads();  // the tile is complete

    const bool rim = tx < 1 || tx >= width - 1 || ty < kReachY<P> || ty >= height - kReachY<P> || tz < kReachZ<P> ||
                     tz >= depth - kReachZ<P>;
    if (rim || !f.contains(x, y, z)) return;
    const int slice = width * height;
    f.out[f.index(x, y, z)] = keeps<P>(f, x, y, z) ? *here : weightedSum<P>(k, here - slice, here, here + slice, width);
}

inline std::array<int, 3> tiledBlock(const TunableValues& t, Pattern p) {
    return {t.at("block_width"), t.at("block_height"), reachZ(p) > 0 ? t.at("block_depth") : 1};
}

inline std::size_t tiledShared(const TunableValues& t, Pattern p) {
    const auto [w, h, d] = tiledBlock(t, p);
    return sizeof(float) * w * h * d;
}

inline const char* tiledRefusal(const TunableValues& t, Pattern p) {
    const auto [w, h, d] = tiledBlock(t, p);
    const bool inside = w > 2 && h > 2 * reachY(p) && d > 2 * reachZ(p);
    return inside ? nullptr
                  : "the block leaves no cell inside its halo: choose at least 3 threads along every axis in use";
}

inline void launchTiled(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const auto [w, h, d] = tiledBlock(t, p.op->pattern);
    const dim3 block(w, h, d);
    forPattern<Pattern::line, Pattern::cross, Pattern::star, Pattern::box>(p.op->pattern, [&]<Pattern P>(As<P>) {
        forFields(c, p, [&](const Field& f) {
            const dim3 grid(ceilDiv(f.width, block.x - 2), ceilDiv(f.height, block.y - 2 * reachY(P)),
                            ceilDiv(f.depth, block.z - 2 * reachZ(P)));
            launch(c, &tiled<P>, grid, block, tiledShared(t, P), f, weightsOf(*p.op));
        });
    });
}

inline Footprint tiledFootprint(const TunableValues& t, Pattern p) {
    const int w = t.at("block_width"), h = t.at("block_height"), r = reachY(p);
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w - 2,
            .tileHeight = h - 2 * r,
            .stagedLeft = 1,
            .stagedTop = r,
            .stagedRight = 1,
            .stagedBottom = r,
            .staged = true,
            .haloX = 1,
            .haloY = r};
}

KernelEntry tiled_entry() {
    return {.launch = &launchTiled,
            .footprint = &tiledFootprint,
            .block = &tiledBlock,
            .sharedBytes = &tiledShared,
            .refusal = &tiledRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
