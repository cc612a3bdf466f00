// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/convolution/launching.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Whether every value that this block's outputs read lies inside the picture. The same for all threads of a block,
/// so that asking costs no divergence. The block writes blockDim outputs from (firstX, firstY) on.
template <class T, int R>
__device__ bool blockReadsInside(const Plane<T>& in, Window<R> window, int firstX, int firstY) {
    return in.contains(firstX - window.radiusX(), firstY - window.radiusY(),
                       firstX + static_cast<int>(blockDim.x) - 1 + window.radiusX(),
                       firstY + static_cast<int>(blockDim.y) - 1 + window.radiusY());
}

/// The weighted sum around (x, y) of a plane, read value by value: the definition. Away from the border the loop is
/// unrolled and asks nothing; fmaf, so that the CPU's compiler rounds both loops alike.
template <class In, int R>
__device__ float windowSum(const In& in, const float* weights, Window<R> window, int x, int y, bool inside) {
    const int left = x - window.radiusX();
    const int top = y - window.radiusY();
    float sum = 0;
    if (inside) {
#pragma unroll
        for (int j = 0; j < window.height(); ++j) {
#pragma unroll
            for (int i = 0; i < window.width(); ++i)
                sum = fmaf(weights[j * window.width() + i], in(left + i, top + j), sum);
        }
    } else {
#pragma unroll 1
        for (int j = 0; j < window.height(); ++j) {
#pragma unroll 1
            for (int i = 0; i < window.width(); ++i) {
                float value;
                if (in.read(left + i, top + j, value)) sum = fmaf(weights[j * window.width() + i], value, sum);
            }
        }
    }
    return sum;
}

/// Stages width x height values from (left, top) on in shared memory, row by row, all threads of the block taking part.
/// The border is asked about only by blocks that reach it: two loops, as the compiler makes them itself in small units
/// alone.
template <class T>
__device__ void stageTile(float* tile, const Plane<T>& in, int left, int top, int width, int height) {
    const int threads = blockDim.x * blockDim.y;
    // Dividing once and stepping on is much cheaper than dividing for every value.
    const int stepX = threads % width, stepY = threads / width;
    int x = (threadIdx.y * blockDim.x + threadIdx.x) % width;
    int y = (threadIdx.y * blockDim.x + threadIdx.x) / width;
    float* to = tile + y * width + x;
    const float* const end = tile + width * height;
    if (in.contains(left, top, left + width - 1, top + height - 1)) {
        const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(stepY) * in.pitch() + stepX, wrap = in.pitch() - width;
        const T* from = in.data + static_cast<std::size_t>(top + y) * in.pitch() + left + x;
        for (; to < end; to += threads) {
            *to = static_cast<float>(*from);
            from += step;
            x += stepX;
            if (x >= width) {
                x -= width;
                from += wrap;
            }
        }
        return;
    }
    for (; to < end; to += threads) {
        *to = in.at(left + x, top + y);
        x += stepX;
        y += stepY;
        if (x >= width) {
            x -= width;
            ++y;
        }
    }
}

/// The weighted sum of a window whose top left value is tile[0], rows `pitch` apart, in shared memory.
template <int R>
__device__ float tileSum(const float* tile, int pitch, const float* weights, Window<R> window) {
    float sum = 0;
#pragma unroll
    for (int j = 0; j < window.height(); ++j) {
#pragma unroll
        for (int i = 0; i < window.width(); ++i) sum += weights[j * window.width() + i] * tile[j * pitch + i];
    }
    return sum;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
