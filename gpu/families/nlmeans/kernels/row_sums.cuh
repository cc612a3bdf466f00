// SPDX-License-Identifier: Apache-2.0
// Idea: for one offset, patches below one another share rows; the block sums each row once, a patch sums those sums.
// Changed from tiled: two passes of 2 r + 1 terms, with a barrier in between, in the place of their square.
// Needs: as tiled, and shared memory for two sets of sums: while one is read, the next offset's are written.
// Block: block_width x block_height threads; tiled's tile and 2 block_width x (block_height + 2 patch radii) floats.
// Source: Darbon et al., ISBI 2008, who sum over the whole picture; without a subtraction, so that NaN stays local.
// Look at: shared loads per pixel, which grow with the patch radius and no longer with its square; and barriers.
#pragma once

#include "gpu/families/nlmeans/launching.cuh"

namespace warplens::gpu::nlmeans {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void row_sums(Pictures<T, C> p) {
    const int left = blockIdx.x * blockDim.x, top = blockIdx.y * blockDim.y;
    const Tile<T, C> tile(blockDim.x, blockDim.y, p.of);
    tile.stage(p, left, top);
    const int tx = threadIdx.x, ty = threadIdx.y, r = p.of.patch, s = p.of.search;
    const int width = blockDim.x, rows = blockDim.y + 2 * r;
    float *sums = dynamicShared + tile.values(), *others = sums + rows * width;
    Mean<T, C> mean;
    for (int dy = -s; dy <= s; ++dy) {
        for (int dx = -s; dx <= s; ++dx) {
            for (int row = ty; row < rows; row += blockDim.y) {
                float sum = 0;
                for (int i = -r; i <= r; ++i) sum = tile.addSquaresAt(sum, tx + i, row - r, dx, dy);
                sums[row * width + tx] = sum;
            }
            __syncthreads();
            float apart = 0;
            for (int j = 0; j <= 2 * r; ++j) apart += sums[(ty + j) * width + tx];
            mean.add(p.weight(apart), tile.at(tx + dx, ty + dy));
            float* const written = sums;
            sums = others;
            others = written;
        }
    }
    if (left + tx < p.of.width && top + ty < p.of.height) p.store(left + tx, top + ty, tile.at(tx, ty), mean);
}

inline std::size_t rowSumsShared(const Case& of, const TunableValues& t) {
    const Footprint tile = tileFootprint(of, t);
    return tileBytes(of, tile) + sizeof(float) * 2 * static_cast<std::size_t>(tile.blockWidth) *
                                     static_cast<std::size_t>(tile.blockHeight + 2 * of.patch);
}

inline void launchRowSums(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        const dim3 block = blockOf(t);
        launch(c, &row_sums<T, C>, gridOf(a, block.x, block.y), block, rowSumsShared(a, t), p);
    });
}

KernelEntry row_sums_entry() {
    return {.launch = &launchRowSums, .footprint = &tileFootprint, .sharedBytes = &rowSumsShared};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::nlmeans
