// SPDX-License-Identifier: Apache-2.0
// Idea: one row of the filter after the other, each a 1D convolution: a block stages one line and uses it up.
// Changed from tiled_output: the tile is a line with a halo at its two ends alone; outputs lie on it, a block apart.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11, best of one row; any picture (a signal has one), any border.
// Block: block_width x block_height threads; 4 block_height (block_width outputs_per_thread + 2rx) bytes shared.
// Source: Kirk and Hwu, 4th ed., section 7.1 (1D convolution) with the tile of section 7.4; re-derived.
// Look at: the halo, 2rx values however long the line; a filter of many rows stages nearly the same rows again.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int Outputs>
__global__ void line_tiled(Source<T> source, Window<0> window, Target out) {
    const Plane<T> in = source.plane(blockIdx.z);
    const int length = blockDim.x * Outputs, pitch = length + window.width() - 1;
    const int left = blockIdx.x * length, top = blockIdx.y * blockDim.y;
    const float* line = dynamicShared + threadIdx.y * pitch + threadIdx.x;
    float sums[Outputs] = {};
    for (int j = 0; j < window.height(); ++j) {
        stageTile(dynamicShared, in, left - window.radiusX(), top + j - window.radiusY(), pitch, blockDim.y);
        __syncthreads();  // the lines are complete
        for (int i = 0; i < window.width(); ++i) {
            const float weight = constantFilter[j * window.width() + i];
#pragma unroll
            for (int k = 0; k < Outputs; ++k) sums[k] += weight * line[k * blockDim.x + i];
        }
        __syncthreads();  // nobody reads them any more
    }
    const int y = top + threadIdx.y;
#pragma unroll
    for (int k = 0; k < Outputs; ++k) {
        const int x = left + k * blockDim.x + threadIdx.x;
        if (out.contains(x, y)) out.store(blockIdx.z, x, y, sums[k]);
    }
}

inline Footprint lineTiledFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height"), radius = filterWidth / 2;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w * t.at("outputs_per_thread"),
            .tileHeight = h,
            .stagedLeft = radius,
            .stagedTop = filterHeight / 2,
            .stagedRight = radius,
            .stagedBottom = filterHeight / 2,
            .staged = true,
            .haloX = radius,
            .haloY = filterHeight / 2};
}

inline std::size_t lineTiledShared(const TunableValues& t, int filterWidth, int) {
    const int pitch = t.at("block_width") * t.at("outputs_per_thread") + filterWidth - 1;
    return sizeof(float) * static_cast<std::size_t>(pitch) * static_cast<std::size_t>(t.at("block_height"));
}

template <int Outputs>
void launchLineTiledBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    io::withSampleType(a.inputType, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window<0> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x * Outputs), ceilDiv(a.height, block.y), layers);
            launch(c, &line_tiled<T, Outputs>, grid, block, lineTiledShared(t, a.filterWidth, a.filterHeight), in,
                   window, out);
        });
    });
}

inline void launchLineTiled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    switch (t.at("outputs_per_thread")) {
        case 1: return launchLineTiledBy<1>(c, a, t);
        case 2: return launchLineTiledBy<2>(c, a, t);
        case 4: return launchLineTiledBy<4>(c, a, t);
        default: return launchLineTiledBy<8>(c, a, t);
    }
}

/// The same in three dimensions: the rows of the filter's slices one after the other, the input's slice `first` being
/// the output's first.
template <class T, int Outputs>
__global__ void line_tiled_volume(Volume<T> in, Window3 window, int first, Target out) {
    const int length = blockDim.x * Outputs, pitch = length + window.width - 1;
    const int left = blockIdx.x * length, top = blockIdx.y * blockDim.y;
    const float* line = dynamicShared + threadIdx.y * pitch + threadIdx.x;
    const float* weights = constantFilter;
    float sums[Outputs] = {};
    for (int k = 0; k < window.depth; ++k) {
        const int z = remap(first + static_cast<int>(blockIdx.z) + k - window.radiusZ(), in.depth, in.border);
        for (int j = 0; j < window.height; ++j, weights += window.width) {
            if (z < 0) continue;  // zeros, for all threads alike
            stageTile(dynamicShared, in.slice(z), left - window.radiusX(), top + j - window.radiusY(), pitch,
                      blockDim.y);
            __syncthreads();  // the lines are complete
            for (int i = 0; i < window.width; ++i) {
                const float weight = weights[i];
#pragma unroll
                for (int n = 0; n < Outputs; ++n) sums[n] += weight * line[n * blockDim.x + i];
            }
            __syncthreads();  // nobody reads them any more
        }
    }
    const int y = top + threadIdx.y;
#pragma unroll
    for (int n = 0; n < Outputs; ++n) {
        const int x = left + n * blockDim.x + threadIdx.x;
        if (out.contains(x, y)) out.store(blockIdx.z, x, y, sums[n]);
    }
}

template <int Outputs>
void launchLineTiledVolumeBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto shared = lineTiledShared(t, a.filterWidth, a.filterHeight);
        forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x * Outputs), ceilDiv(a.height, block.y), slices);
            launch(c, &line_tiled_volume<T, Outputs>, grid, block, shared, in, window, first, out);
        });
    });
}

inline void launchLineTiledVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    switch (t.at("outputs_per_thread")) {
        case 1: return launchLineTiledVolumeBy<1>(c, a, t);
        case 2: return launchLineTiledVolumeBy<2>(c, a, t);
        case 4: return launchLineTiledVolumeBy<4>(c, a, t);
        default: return launchLineTiledVolumeBy<8>(c, a, t);
    }
}

/// Rows of a volume are shorter than those of a picture, and it has more of them.
inline TunableValues lineTiledDefaults(const Box&) { return {{"block_width", 32}, {"block_height", 8}}; }

inline Footprint lineTiledVolumeFootprint(const TunableValues& t, const Box& filter) {
    return lineTiledFootprint(t, filter.width, filter.height);
}

inline std::size_t lineTiledVolumeShared(const TunableValues& t, const Box& filter) {
    return lineTiledShared(t, filter.width, filter.height);
}

KernelEntry line_tiled_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchLineTiled,
            .footprint = &lineTiledFootprint,
            .sharedBytes = &lineTiledShared,
            .volume = {.launch = &launchLineTiledVolume,
                       .defaults = &lineTiledDefaults,
                       .footprint = &lineTiledVolumeFootprint,
                       .sharedBytes = &lineTiledVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
