// SPDX-License-Identifier: Apache-2.0
// Idea: a filter that is a column times a row is two short filters: rows first, then columns.
// Changed from constant: width + height multiplications per output, not width x height; a second pass over memory.
// Needs: a separable filter (rank-1 residual at most 2 ulp); scratch of one float per value; any picture, any border.
// Block: block_width x block_height threads, no shared memory, two kernels.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007; re-derived.
// Look at: the scratch between the passes: 8 bytes per value that a fused kernel would save.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void separable_rows(Source<T> source, Window<R> window, float* scratch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    if (x >= in.width || y >= in.height) return;
    const int left = x - window.radiusX();
    const int blockLeft = static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX();
    float sum = 0;
    if (blockLeft >= 0 && blockLeft + static_cast<int>(blockDim.x) - 1 + 2 * window.radiusX() < in.width) {
#pragma unroll
        for (int i = 0; i < window.width(); ++i) sum = fmaf(constantRow[i], in(left + i, y), sum);
    } else {
        for (int i = 0; i < window.width(); ++i) {
            float value;
            if (in.read(left + i, y, value)) sum = fmaf(constantRow[i], value, sum);
        }
    }
    scratch[blockIdx.z * source.planeValues + static_cast<std::size_t>(y) * in.width + x] = sum;
}

template <int R>
__global__ void separable_columns(Source<float> scratch, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
    const Plane<float> in = scratch.plane(blockIdx.z);
    const int top = y - window.radiusY();
    const int blockTop = static_cast<int>(blockIdx.y * blockDim.y) - window.radiusY();
    float sum = 0;
    if (blockTop >= 0 && blockTop + static_cast<int>(blockDim.y) - 1 + 2 * window.radiusY() < in.height) {
#pragma unroll
        for (int j = 0; j < window.height(); ++j) sum = fmaf(constantColumn[j], in(x, top + j), sum);
    } else {
        for (int j = 0; j < window.height(); ++j) {
            float value;
            if (in.read(x, top + j, value)) sum = fmaf(constantColumn[j], value, sum);
        }
    }
    out.store(blockIdx.z, x, y, sum);
}

inline void launchSeparable(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        auto* scratch = static_cast<float*>(c.address(a.scratch));
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, &separable_rows<T, R>, grid, block, 0, in, window, scratch);
            const Source<float> rows{scratch, a.width, a.height, in.planeValues, a.border};
            launch(c, &separable_columns<R>, grid, block, 0, rows, window, out);
            scratch += layers * in.planeValues;
        });
    });
}

KernelEntry separable_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparable,
            .footprint = &pixelPerThreadFootprint,
            .needsScratch = true,
            .needsSeparable = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
