// SPDX-License-Identifier: Apache-2.0
// Idea: one thread, one cell; every neighbour is read from global memory.
// Changed from: the definition; this is the first variant.
// Needs: any pattern, any extent.
// Block: block_width x block_height x block_depth threads (depth 1 below 3D), no shared memory.
// Source: Kirk and Hwu, 4th ed., section 8.2, figure 8.6; re-derived.
// Look at: the loads of one sum: each value is asked for by every neighbour of its cell.
#pragma once

#include "gpu/families/stencil/field.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

template <Pattern P, bool Whole>
__global__ void naive(FieldOf<Whole> f, Weights k) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    constexpr bool kSlices = !Whole && kReachZ < P >> 0;  // some of them are written: below three dimensions all are
    const int z = (kSlices ? f.first : 0) + blockIdx.z * blockDim.z + threadIdx.z;
    if (!f.contains(x, y, z) || (kSlices && z >= f.last)) return;
    const std::size_t i = f.index(x, y, z);
    const float* here = f.in + i;
    const std::ptrdiff_t slice = f.slicePitch();
    f.out[i] = keeps<P>(f, x, y, z) ? *here : weightedSum<P>(k, here - slice, here, here + slice, f.rowPitch());
}

inline std::array<int, 3> naiveBlock(const TunableValues& t, Pattern p) {
    return {t.at("block_width"), t.at("block_height"), reachZ(p) > 0 ? t.at("block_depth") : 1};
}

inline void launchNaive(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const auto [w, h, d] = naiveBlock(t, p.op->pattern);
    const dim3 block(w, h, d);
    forPattern<Pattern::line, Pattern::cross, Pattern::star, Pattern::box>(p.op->pattern, [&]<Pattern P>(As<P>) {
        forEitherField(c, p, [&]<bool Whole>(const FieldOf<Whole>& f) {
            const dim3 grid(ceilDiv(f.width, block.x), ceilDiv(f.height, block.y), ceilDiv(f.to() - f.from(), block.z));
            launch(c, &naive<P, Whole>, grid, block, 0, f, weightsOf(*p.op));
        });
    });
}

inline Footprint naiveFootprint(const TunableValues& t, Pattern p) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .haloX = 1,
            .haloY = reachY(p),
            .haloThroughCache = true};
}

KernelEntry naive_entry() {
    return {.launch = &launchNaive, .footprint = &naiveFootprint, .block = &naiveBlock, .takesSlices = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
