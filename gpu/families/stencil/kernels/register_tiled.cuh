// SPDX-License-Identifier: Apache-2.0
// Idea: of the slices before and after, a thread needs its own cell alone: a register holds it; one slice is shared.
// Changed from sliced: a third of the shared memory, fewer shared reads; a cross marches along y with one shared row.
// Needs: a star (3D) or a cross (2D); any extent; a block of at least 3 threads along x, and along y in 3D.
// Block: w x h threads, 4 w h bytes shared; (w-2)(h-2) of them write in 3D, (w-2) h in 2D, a cell a slice or row.
// Source: Kirk and Hwu, 4th ed., section 8.5, figure 8.12; re-derived.
// Look at: before, here and after, which move on by one cell a step without touching memory.
#pragma once

#include "gpu/families/stencil/field.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

template <Pattern P, bool Whole>
__global__ void register_tiled(FieldOf<Whole> f, Weights k, int planes) {
    constexpr bool k3D = P == Pattern::star;
    const int width = blockDim.x, height = blockDim.y;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = static_cast<int>(blockIdx.x) * (width - 2) + tx - 1;
    // In 3D the block is a tile of a slice that marches in z; in 2D each of its rows marches in y by itself.
    const int column = k3D ? static_cast<int>(blockIdx.y) * (height - 2) + ty - 1 : blockIdx.z;
    const int first = k3D ? blockIdx.z * planes : (blockIdx.y * height + ty) * planes;
    const int end = k3D ? f.depth : f.height;
    const auto y = [&](int step) { return k3D ? column : step; };
    const auto z = [&](int step) { return k3D ? step : column; };
    const bool inTile = tx > 0 && tx < width - 1 && (!k3D || (ty > 0 && ty < height - 1));
    const bool writes = inTile && x < f.width && (!k3D || column < f.height);

    float* slice = dynamicShared;
    const int i = ty * width + tx;
    float before = f.at(x, y(first - 1), z(first - 1));
    float here = f.at(x, y(first), z(first));
    for (int step = first; step < first + planes; ++step) {
        const float after = f.at(x, y(step + 1), z(step + 1));
        slice[i] = here;
        __syncthreads();  // the slice is complete
        if (writes && step < end) {
            float value = here;
            if (!keeps<P>(f, x, y(step), z(step))) {
                if constexpr (k3D) {
                    value =
                        starSum(k, here, slice[i - 1], slice[i + 1], slice[i - width], slice[i + width], before, after);
                } else {
                    value = crossSum(k, here, slice[i - 1], slice[i + 1], before, after);
                }
            }
            f.out[f.index(x, y(step), z(step))] = value;
        }
        __syncthreads();  // nobody needs the slice any more
        before = here;
        here = after;
    }
}

inline std::array<int, 3> registerTiledBlock(const TunableValues& t, Pattern) {
    return {t.at("block_width"), t.at("block_height"), 1};
}

inline std::size_t registerTiledShared(const TunableValues& t, Pattern) {
    return sizeof(float) * t.at("block_width") * t.at("block_height");
}

inline const char* registerTiledRefusal(const TunableValues& t, Pattern p) {
    if (p == Pattern::line) return "a 1D stencil leaves no axis to march along";
    if (p == Pattern::box)
        return "a 27-point stencil needs its neighbours' cells of the slices before and after, which lie in their "
               "registers";
    const bool inside = t.at("block_width") > 2 && (p == Pattern::cross || t.at("block_height") > 2);
    return inside ? nullptr
                  : "the block leaves no cell inside its halo: choose at least 3 threads along x, and along y in 3D";
}

inline void launchRegisterTiled(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const dim3 block(t.at("block_width"), t.at("block_height"));
    forPattern<Pattern::cross, Pattern::star>(p.op->pattern, [&]<Pattern P>(As<P>) {
        forEitherField(c, p, [&]<bool Whole>(const FieldOf<Whole>& f) {
            const unsigned columns = ceilDiv(f.width, block.x - 2);
            const int length = t.at(P == Pattern::star ? "planes_per_block" : "rows_per_thread");
            const dim3 grid = P == Pattern::star
                                  ? dim3(columns, ceilDiv(f.height, block.y - 2), ceilDiv(f.depth, length))
                                  : dim3(columns, ceilDiv(f.height, block.y * length), f.depth);
            launch(c, &register_tiled<P, Whole>, grid, block, registerTiledShared(t, P), f, weightsOf(*p.op), length);
        });
    });
}

inline Footprint registerTiledFootprint(const TunableValues& t, Pattern p) {
    const int w = t.at("block_width"), h = t.at("block_height");
    if (reachZ(p) == 0) {
        return {.blockWidth = w,
                .blockHeight = h,
                .tileWidth = w - 2,
                .tileHeight = h * t.at("rows_per_thread"),
                .stagedLeft = 1,
                .stagedRight = 1,
                .staged = true,
                .haloX = 1,
                .haloY = 1};
    }
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

KernelEntry register_tiled_entry() {
    return {.launch = &launchRegisterTiled,
            .footprint = &registerTiledFootprint,
            .block = &registerTiledBlock,
            .sharedBytes = &registerTiledShared,
            .refusal = &registerTiledRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
