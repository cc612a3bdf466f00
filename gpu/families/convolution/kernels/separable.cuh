// SPDX-License-Identifier: Apache-2.0
// Idea: a filter that is a column times a row is two short filters: rows first, then columns.
// Changed from constant: width + height multiplications per output, not width x height; a second pass over memory.
// Needs: a separable filter (rank-1 residual at most 2 ulp); scratch of one float per value, in three dimensions two.
// Block: block_width x block_height threads, no shared memory, two kernels, in three dimensions three.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007; re-derived.
// Look at: the scratch between the passes: 8 bytes per value that a fused kernel would save.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
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
        Special columns = squareSpecial<T, R>(a, "separable", "separable_columns");
        columns.type = "";  // of its rows' floats always
        auto* scratch = static_cast<float*>(c.address(a.scratch));
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, squareSpecial<T, R>(a, "separable", "separable_rows"), &separable_rows<T, R>, grid, block, 0, in,
                   window, scratch);
            const Source<float> rows{scratch, a.width, a.height, in.planeValues, a.border, {a.width}};
            launch(c, columns, &separable_columns<R>, grid, block, 0, rows, window, out);
            scratch += layers * in.planeValues;
        });
    });
}

/// The same in three dimensions, one axis at a time: x, y and z in turn, from the input to the scratch, on to a second
/// scratch, to the output.
template <class T>
__global__ void separable_axis(Volume<T> in, int axis, int taps, int first, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
    const float* const weights = axis == 0 ? constantRow : axis == 1 ? constantColumn : constantStack;
    int place[3] = {x, y, first + static_cast<int>(blockIdx.z)};
    int& at = place[axis];
    at -= taps / 2;
    float sum = 0;
    for (int i = 0; i < taps; ++i, ++at) {
        float value;
        if (in.read(place[0], place[1], place[2], value)) sum = fmaf(weights[i], value, sum);
    }
    out.store(blockIdx.z, x, y, sum);
}

template <class T>
void launchSeparableAxis(LaunchContext& c, const Arguments& a, const T* from, const Target& to, dim3 block, int axis) {
    const int taps[3] = {a.filterWidth, a.filterHeight, a.filterDepth};
    forVolumes(a, from, to, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
        const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices);
        launch(c, &separable_axis<T>, grid, block, 0, in, axis, taps[axis], first, out);
    });
}

inline void launchSeparableVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block = blockOf(t);
    const Arguments within = withinSlices(a);
    const Target rows = scratchOf(c, a, 0), columns = scratchOf(c, a, 1);
    dispatchVolume(a, [&]<class T>(T) {
        launchSeparableAxis(c, within, static_cast<const T*>(c.address(a.input)), rows, block, 0);
    });
    launchSeparableAxis(c, within, static_cast<const float*>(rows.data), columns, block, 1);
    launchSeparableAxis(c, a, static_cast<const float*>(columns.data), targetOf(c, a), block, 2);
}

KernelEntry separable_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparable,
            .footprint = &pixelPerThreadFootprint,
            .needsScratch = true,
            .needsSeparable = true,
            .volume = {.launch = &launchSeparableVolume, .footprint = &voxelPerThreadFootprint, .scratchVolumes = 2}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
