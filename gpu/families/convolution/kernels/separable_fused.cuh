// SPDX-License-Identifier: Apache-2.0
// Idea: both passes in one kernel: rows from one shared tile into another, columns from there to the output.
// Changed from separable: the scratch stays in shared memory; the halo's rows are filtered by both neighbouring blocks.
// Needs: a separable filter (rank-1 residual at most 2 ulp); any picture, any border.
// Block: block_width x block_height threads, n = outputs_per_thread outputs each; 4 ((w + 2rx) + w)(h n + 2ry) bytes
// shared; in three dimensions the outputs lie behind each other, 4 ((w + 2rx) + w)(h + 2ry)(n + 2rz) bytes.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007, both passes joined; re-derived.
// Look at: the two barriers: tile loaded, rows filtered.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void separable_fused(Source<T> source, Window<R> window, Target out, int outputsPerThread) {
    const int width = blockDim.x;
    const int height = blockDim.y * outputsPerThread;
    const int stagedWidth = width + 2 * window.radiusX();
    const int stagedHeight = height + 2 * window.radiusY();
    float* tile = dynamicShared;
    float* rows = dynamicShared + stagedWidth * stagedHeight;
    const int left = static_cast<int>(blockIdx.x) * width - window.radiusX();
    const int top = static_cast<int>(blockIdx.y) * height - window.radiusY();

    stageTile(tile, source.plane(blockIdx.z), left, top, stagedWidth, stagedHeight);
    __syncthreads();  // the tile is complete

    for (int y = threadIdx.y; y < stagedHeight; y += blockDim.y) {
        const float* line = &tile[y * stagedWidth + threadIdx.x];
        float sum = 0;
#pragma unroll
        for (int i = 0; i < window.width(); ++i) sum += constantRow[i] * line[i];
        rows[y * width + threadIdx.x] = sum;
    }
    __syncthreads();  // all rows are filtered

    const int x = blockIdx.x * width + threadIdx.x;
    for (int y = threadIdx.y; y < height; y += blockDim.y) {
        const float* column = &rows[y * width + threadIdx.x];
        float sum = 0;
#pragma unroll
        for (int j = 0; j < window.height(); ++j) sum += constantColumn[j] * column[j * width];
        const int outputY = static_cast<int>(blockIdx.y) * height + y;
        if (out.contains(x, outputY)) out.store(blockIdx.z, x, outputY, sum);
    }
}

inline std::size_t separableFusedShared(const TunableValues& t, int filterWidth, int filterHeight) {
    const int width = t.at("block_width");
    return sizeof(float) * (2 * width + filterWidth - 1) *
           (t.at("block_height") * t.at("outputs_per_thread") + filterHeight - 1);
}

inline Footprint separableFusedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    const int rx = filterWidth / 2, ry = filterHeight / 2;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h * t.at("outputs_per_thread"),
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

inline void launchSeparableFused(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const int outputs = t.at("outputs_per_thread");
        const Window<R> window{a.filterWidth, a.filterHeight};
        const auto shared = separableFusedShared(t, a.filterWidth, a.filterHeight);
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, static_cast<int>(block.y) * outputs), layers);
            launch(c, squareSpecial<T, R>(a, "separable_fused"), &separable_fused<T, R>, grid, block, shared, in,
                   window, out, outputs);
        });
    });
}

/// The same in three dimensions: a box is filtered along x, y and z in turn, the input's slice `first` being the
/// output's first.
template <class T>
__global__ void separable_fused_volume(Volume<T> in, Window3 window, int first, int slices, Target out,
                                       int outputsPerThread) {
    const int width = blockDim.x, height = blockDim.y;
    const int stagedWidth = width + window.width - 1, stagedHeight = height + window.height - 1;
    const int stagedDepth = outputsPerThread + window.depth - 1;
    const int z = static_cast<int>(blockIdx.z) * outputsPerThread;
    float* tile = dynamicShared;
    float* rows = dynamicShared + stagedWidth * stagedHeight * stagedDepth;
    float* columns = tile;  // once the rows are filtered nobody reads the tile
    stageBox(tile, in, static_cast<int>(blockIdx.x) * width - window.radiusX(),
             static_cast<int>(blockIdx.y) * height - window.radiusY(), first + z - window.radiusZ(), stagedWidth,
             stagedHeight, stagedDepth);
    __syncthreads();  // the tile is complete

    for (int line = threadIdx.y; line < stagedHeight * stagedDepth; line += height) {
        const float* from = &tile[line * stagedWidth + threadIdx.x];
        float sum = 0;
        for (int i = 0; i < window.width; ++i) sum += constantRow[i] * from[i];
        rows[line * width + threadIdx.x] = sum;
    }
    __syncthreads();  // all rows are filtered

    for (int k = 0; k < stagedDepth; ++k) {
        const float* from = &rows[(k * stagedHeight + threadIdx.y) * width + threadIdx.x];
        float sum = 0;
        for (int j = 0; j < window.height; ++j) sum += constantColumn[j] * from[j * width];
        columns[(k * height + threadIdx.y) * width + threadIdx.x] = sum;
    }
    // Of the columns a thread reads its own alone: no barrier.

    const int x = blockIdx.x * width + threadIdx.x;
    const int y = blockIdx.y * height + threadIdx.y;
    if (!out.contains(x, y)) return;
    for (int n = 0; n < outputsPerThread && z + n < slices; ++n) {
        const float* from = &columns[(n * height + threadIdx.y) * width + threadIdx.x];
        float sum = 0;
        for (int k = 0; k < window.depth; ++k) sum += constantStack[k] * from[k * height * width];
        out.store(z + n, x, y, sum);
    }
}

inline std::size_t separableFusedVolumeShared(const TunableValues& t, const Box& filter) {
    return sizeof(float) * (2 * t.at("block_width") + filter.width - 1) * (t.at("block_height") + filter.height - 1) *
           (t.at("outputs_per_thread") + filter.depth - 1);
}

inline Footprint separableFusedVolumeFootprint(const TunableValues& t, const Box& filter) {
    Footprint print = separableFusedFootprint(t, filter.width, filter.height);
    print.tileHeight = t.at("block_height");
    return print;
}

inline void launchSeparableFusedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const int outputs = t.at("outputs_per_thread");
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto shared = separableFusedVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
        forVolumes<T>(c, a, outputs, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), ceilDiv(slices, outputs));
            launch(c, &separable_fused_volume<T>, grid, block, shared, in, window, first, slices, out, outputs);
        });
    });
}

KernelEntry separable_fused_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparableFused,
            .footprint = &separableFusedFootprint,
            .sharedBytes = &separableFusedShared,
            .needsSeparable = true,
            .volume = {.launch = &launchSeparableFusedVolume,
                       .footprint = &separableFusedVolumeFootprint,
                       .sharedBytes = &separableFusedVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
