// SPDX-License-Identifier: Apache-2.0
// Idea: integers differ by few amounts, so the weight by difference can be looked up as well.
// Changed from space_table: no exponential is left; bytes look up in shared memory, words in global memory.
// Needs: integers; a value for each difference that there can be.
// Block: block_width x block_height threads; of bytes (255 x channels + 1) floats.
// Source: OpenCV's bilateralFilter on bytes; in shared memory our own.
// Look at: wavefronts of shared loads: lanes of a warp look up where their pictures differ, in banks as chance has it.
#pragma once

#include "gpu/families/bilateral/launching.cuh"

#include <cstdint>

namespace warplens::gpu::bilateral {
inline namespace WARPLENS_BUILD {

template <class T, int C>
__global__ void value_table(Pictures<T, C> p) {
    const float* table = p.valueWeights;
    if constexpr (sizeof(T) == 1) {
        for (unsigned i = threadIdx.y * blockDim.x + threadIdx.x; i <= 255 * C; i += blockDim.x * blockDim.y)
            dynamicShared[i] = p.valueWeights[i];
        __syncthreads();
        table = dynamicShared;
    }
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= p.of.width || y >= p.of.height) return;
    const int r = p.of.radius;
    const Pixel<C> centre = p.at(x, y);
    Mean<T, C> mean;
    for (int dy = -r; dy <= r; ++dy) {
        const int away = abs(dy), reach = p.reach[away];
        const float* const weights = p.spaceWeights + away * (r + 1);
        for (int dx = -reach; dx <= reach; ++dx) {
            const Pixel<C> pixel = p.at(x + dx, y + dy);
            mean.add(weights[abs(dx)] * table[static_cast<int>(difference(pixel, centre))], pixel);
        }
    }
    p.store(x, y, centre, mean);
}

inline std::size_t valueTableShared(const Case& of, const TunableValues&) {
    return of.type == io::PixelType::u8 ? sizeof(float) * (255 * static_cast<std::size_t>(of.channels) + 1) : 0;
}

inline void launchValueTable(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch<false>(c, a, [&]<class T, int C>(const Pictures<T, C>& p) {
        launch(c, &value_table<T, C>, gridOf(a, blockOf(t)), blockOf(t), valueTableShared(a, t), p);
    });
}

inline const char* valueTableRefusal(const Case& of) {
    return of.type == io::PixelType::f32 ? "floats differ by too many amounts for a table" : nullptr;
}

KernelEntry value_table_entry() {
    return {.launch = &launchValueTable,
            .footprint = &pixelFootprint,
            .sharedBytes = &valueTableShared,
            .refusal = &valueTableRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::bilateral
