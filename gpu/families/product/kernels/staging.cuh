// SPDX-License-Identifier: Apache-2.0
// Idea: a picture's channels as floats, in rows filled up with zeros to whole 16 bytes.
// Changed from nothing: no variant, but what comes before those that read 16 bytes at a time, where the picture is of
// integers or its rows begin elsewhere. Timed with them.
// Needs: nothing.
// Block: 32 x 8 threads, no shared memory.
// Source: our own.
// Look at: its share of the time: bytes grow with the square of the extents, the product's work with the cube.
#pragma once

#include "gpu/families/product/factor.hpp"
#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// `rowValues`: of the copy; what is beyond the picture is zero there already.
template <class T>
__global__ void stageFloats(const T* from, float* to, int width, int height, int rowValues, std::int64_t layerValues) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        const std::int64_t in = (std::int64_t{blockIdx.z} * height + y) * width + x;
        to[blockIdx.z * layerValues + std::int64_t{y} * rowValues + x] = static_cast<float>(from[in]);
    }
}

inline void launchStaging(LaunchContext& c, const Staging& s) {
    const int row = wholeQuads(s.width);
    const unsigned rows = ceilDiv(s.height, 8);
    const dim3 grid(ceilDiv(s.width, 32), rows < 65535 ? rows : 65535, static_cast<unsigned>(s.layers));
    io::withSampleType(s.type, [&]<class T>(T) {
        launch(c, &stageFloats<T>, grid, dim3(32, 8), 0, static_cast<const T*>(c.address(s.from)),
               static_cast<float*>(c.address(s.to)), s.width, s.height, row, std::int64_t{row} * wholeQuads(s.height));
    });
}

StagingEntry staging_entry() { return {.launch = &launchStaging}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
