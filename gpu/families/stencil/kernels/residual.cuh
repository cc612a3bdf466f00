// SPDX-License-Identifier: Apache-2.0
// Idea: the residual is found by the pass that makes the step: its values are in registers already.
// Changed from naive: a block folds the changes of its cells into one as a tree, and the greatest of all is kept by an
// atomic.
// Needs: any pattern, any extent; where nobody asks for a step's residual the pass is that of naive.
// Block: block_width x block_height x block_depth threads (depth 1 below 3D), 4 bytes shared for each.
// Source: Kirk and Hwu, 4th ed., sections 8.2 and 10.4 in one kernel; re-derived.
// Look at: what is spared: a second kernel that reads both fields once more, two loads per cell.
#pragma once

#include "gpu/families/stencil/field.cuh"
#include "gpu/kernels/relaxed.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

/// Joins the greatest `change` of the block's threads, any number of them, to the word at `largest`; a NaN wins.
__device__ inline void joinLargest(float change, unsigned* largest) {
    unsigned* const of = reinterpret_cast<unsigned*>(dynamicShared);
    const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned mine = bitsOf(change);
    of[t] = mine;
    for (unsigned left = blockDim.x * blockDim.y * blockDim.z; left > 1;) {
        const unsigned half = (left + 1) / 2;
        __syncthreads();  // the level above is complete
        if (t < left - half && of[t + half] > mine) of[t] = mine = of[t + half];
        left = half;
    }
    // Most blocks find a greater change there already, and spare the atomic.
    if (t == 0 && mine > relaxedLoad(largest)) atomicMax(largest, mine);
}

template <Pattern P>
__global__ void residual(Field f, Weights k, unsigned* largest) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    float change = 0;
    if (f.contains(x, y, z)) {
        const std::size_t i = f.index(x, y, z);
        const float* here = f.in + i;
        const std::ptrdiff_t slice = f.slicePitch();
        const float next =
            keeps<P>(f, x, y, z) ? *here : weightedSum<P>(k, here - slice, here, here + slice, f.rowPitch());
        f.out[i] = next;
        change = fabsf(next - *here);
    }
    if (largest != nullptr) joinLargest(change, largest);
}

inline std::array<int, 3> residualBlock(const TunableValues& t, Pattern p) {
    return {t.at("block_width"), t.at("block_height"), reachZ(p) > 0 ? t.at("block_depth") : 1};
}

inline std::size_t residualShared(const TunableValues& t, Pattern p) {
    const auto [w, h, d] = residualBlock(t, p);
    return sizeof(unsigned) * static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * static_cast<std::size_t>(d);
}

inline void launchResidual(LaunchContext& c, const Pass& p, const TunableValues& t) {
    const auto [w, h, d] = residualBlock(t, p.op->pattern);
    const dim3 block(w, h, d);
    auto* largest = p.change == 0 ? nullptr : static_cast<unsigned*>(c.address(p.change));
    forPattern<Pattern::line, Pattern::cross, Pattern::star, Pattern::box>(p.op->pattern, [&]<Pattern P>(As<P>) {
        forFields(c, p, [&](const Field& f) {
            const dim3 grid(ceilDiv(f.width, block.x), ceilDiv(f.height, block.y), ceilDiv(f.depth, block.z));
            launch(c, &residual<P>, grid, block, residualShared(t, P), f, weightsOf(*p.op), largest);
        });
    });
}

inline Footprint residualFootprint(const TunableValues& t, Pattern p) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .haloX = 1,
            .haloY = reachY(p),
            .haloThroughCache = true};
}

KernelEntry residual_entry() {
    return {.launch = &launchResidual,
            .footprint = &residualFootprint,
            .block = &residualBlock,
            .sharedBytes = &residualShared,
            .findsChange = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
