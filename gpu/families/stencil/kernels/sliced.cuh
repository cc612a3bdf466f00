// SPDX-License-Identifier: Apache-2.0
// Idea: a block marches in z and keeps three slices in shared memory: before, here, after.
// Changed from tiled: the halo in z is loaded once per march, not once per tile, so blocks may be wide and flat.
// Needs: a 3D pattern, any extent; a block of at least 3 x 3 threads.
// Block: w x h threads, 12 w h bytes shared; (w-2)(h-2) of them write, planes_per_block slices each.
// Source: Kirk and Hwu, 4th ed., section 8.4, figure 8.10; re-derived.
// Look at: the rotation of the three slices, which moves pointers and no values.
#pragma once

#include "gpu/families/stencil/field.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

template <Pattern P>
__global__ void sliced(Field f, Weights k, int planes) {
    const int width = blockDim.x, height = blockDim.y;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = static_cast<int>(blockIdx.x) * (width - 2) + tx - 1;
    const int y = static_cast<int>(blockIdx.y) * (height - 2) + ty - 1;
    const int first = static_cast<int>(blockIdx.z) * planes;
    const int last = least(first + planes, f.depth);
    const bool writes = tx > 0 && tx < width - 1 && ty > 0 && ty < height - 1 && x < f.width && y < f.height;

    const int i = ty * width + tx;
    float* below = dynamicShared;
    float* here = below + width * height;
    float* above = here + width * height;
    below[i] = f.at(x, y, first - 1);
    here[i] = f.at(x, y, first);
    for (int z = first; z < last; ++z) {
        above[i] = f.at(x, y, z + 1);
        __syncthreads();  // the three slices are complete
        if (writes) {
            f.out[f.index(x, y, z)] =
                keeps<P>(f, x, y, z) ? here[i] : weightedSum<P>(k, below + i, here + i, above + i, width);
        }
        __syncthreads();  // nobody needs the slice below any more
        float* const free = below;
        below = here;
        here = above;
        above = free;
    }
}

inline std::array<int, 3> slicedBlock(const TunableValues& t, Pattern) {
    return {t.at("block_width"), t.at("block_height"), 1};
}

inline std::size_t slicedShared(const TunableValues& t, Pattern) {
    return 3 * sizeof(float) * t.at("block_width") * t.at("block_height");
}

inline const char* slicedRefusal(const TunableValues& t, Pattern p) {
    if (reachZ(p) == 0) return "slices share nothing in a 1D or 2D stencil: choose a 3D one";
    const bool inside = t.at("block_width") > 2 && t.at("block_height") > 2;
    return inside ? nullptr : "the block leaves no cell inside its halo: choose at least 3 x 3 threads";
}

inline void launchSliced(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const dim3 block(t.at("block_width"), t.at("block_height"));
    const int planes = t.at("planes_per_block");
    forPattern<Pattern::star, Pattern::box>(p.op->pattern, [&]<Pattern P>(As<P>) {
        forFields(c, p, [&](const Field& f) {
            const dim3 grid(ceilDiv(f.width, block.x - 2), ceilDiv(f.height, block.y - 2), ceilDiv(f.depth, planes));
            launch(c, &sliced<P>, grid, block, slicedShared(t, P), f, weightsOf(*p.op), planes);
        });
    });
}

inline Footprint slicedFootprint(const TunableValues& t, Pattern) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w - 2,
            .tileHeight = h - 2,
            .stagedLeft = 1,
            .stagedTop = 1,
            .stagedRight = 1,
            .stagedBottom = 1,
            .staged = true,
            .haloX = 1,
            .haloY = 1};
}

KernelEntry sliced_entry() {
    return {.launch = &launchSliced,
            .footprint = &slicedFootprint,
            .block = &slicedBlock,
            .sharedBytes = &slicedShared,
            .refusal = &slicedRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
