// SPDX-License-Identifier: Apache-2.0
#pragma once

// The residual of a step, and the values of held regions.

#include "gpu/families/stencil/field.cuh"
#include "gpu/kernels/shared.cuh"

#include <cstdint>

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

constexpr int kReduceThreads = 256;

/// Each thread strides over the values, the block halves its maxima in shared memory, one thread joins them to the
/// result.
__global__ void maxChange(const float* a, const float* b, std::size_t count, unsigned* result) {
    float* largest = dynamicShared;
    float mine = 0;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        const float change = fabsf(a[i] - b[i]);
        if (bitsOf(change) > bitsOf(mine)) mine = change;
    }
    largest[threadIdx.x] = mine;
    __syncthreads();  // all maxima are there
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const float other = largest[threadIdx.x + half];
            if (bitsOf(other) > bitsOf(mine)) largest[threadIdx.x] = mine = other;
        }
        __syncthreads();  // this level is done
    }
    if (threadIdx.x == 0) atomicMax(result, bitsOf(mine));
}

/// One thread a cell of the box, x fastest; one layer of blocks a field.
__global__ void holdBox(float* fields, int width, int height, int depth, Held::Box box, float value) {
    const int nx = box.last[0] - box.first[0] + 1, ny = box.last[1] - box.first[1] + 1,
              nz = box.last[2] - box.first[2] + 1;
    const std::size_t count = static_cast<std::size_t>(nx) * ny * nz, stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        const std::size_t x = box.first[0] + i % nx, y = box.first[1] + i / nx % ny, z = box.first[2] + i / nx / ny;
        fields[((blockIdx.y * std::size_t{1} * depth + z) * height + y) * width + x] = value;
    }
}

inline unsigned blocksFor(std::size_t count, std::size_t perBlock) {
    return static_cast<unsigned>(std::clamp<std::size_t>((count + perBlock - 1) / perBlock, 1, 132 * 8));
}

inline void launchMaxChange(LaunchContext& c, std::uint64_t a, std::uint64_t b, std::size_t count,
                            std::uint64_t result) {
    // Enough values a thread that the barriers do not matter.
    launch(c, &maxChange, dim3(blocksFor(count, kReduceThreads * 16)), dim3(kReduceThreads),
           kReduceThreads * sizeof(float), static_cast<const float*>(c.address(a)),
           static_cast<const float*>(c.address(b)), count, static_cast<unsigned*>(c.address(result)));
}

inline void launchHold(LaunchContext& c, std::uint64_t fields, int width, int height, int depth, int count,
                       const Operator& op) {
    const Held held = heldOf(op, depth);
    for (int i = 0; i < held.count; ++i) {
        launch(c, &holdBox,
               dim3(blocksFor(static_cast<std::size_t>(width) * height * depth, 256), static_cast<unsigned>(count)),
               dim3(256), 0, static_cast<float*>(c.address(fields)), width, height, depth, held.box[i],
               op.regions[i].value);
    }
}

FieldEntry fieldEntryOfBuild() { return {&launchMaxChange, &launchHold}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
