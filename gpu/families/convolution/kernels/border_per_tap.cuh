// SPDX-License-Identifier: Apache-2.0
// Idea: the naive kernel as it is first written: each tap asks whether it lies inside the picture.
// Changed from naive: no block asks once for all its threads, so that no loop is unrolled and every tap is compared.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 7.2, figure 7.7; re-derived.
// Look at: the instructions per multiply-add away from the border, where the answer is always the same.
#pragma once

#include "gpu/families/convolution/volume.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void border_per_tap(Source<T> source, const float* filter, Window<0> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    if (!out.contains(x, y)) return;
    float sum = 0;
#pragma unroll 1
    for (int j = 0; j < window.height(); ++j) {
#pragma unroll 1
        for (int i = 0; i < window.width(); ++i) {
            float value;
            if (in.read(x - window.radiusX() + i, y - window.radiusY() + j, value))
                sum += filter[j * window.width() + i] * value;
        }
    }
    out.store(blockIdx.z, x, y, sum);
}

inline void launchBorderPerTap(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    io::withSampleType(a.inputType, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const auto* filter = static_cast<const float*>(c.address(a.filter));
        const Window<0> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, &border_per_tap<T>, grid, block, 0, in, filter, window, out);
        });
    });
}

/// The same in three dimensions: the block's outputs lie in one slice, the input's slice `first` being the output's
/// first.
template <class T>
__global__ void border_per_tap_volume(Volume<T> in, const float* filter, Window3 window, int first, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = first + blockIdx.z;
    if (!out.contains(x, y)) return;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < window.depth; ++k) {
#pragma unroll 1
        for (int j = 0; j < window.height; ++j) {
#pragma unroll 1
            for (int i = 0; i < window.width; ++i) {
                float value;
                if (in.read(x - window.radiusX() + i, y - window.radiusY() + j, z - window.radiusZ() + k, value))
                    sum += filter[(k * window.height + j) * window.width + i] * value;
            }
        }
    }
    out.store(blockIdx.z, x, y, sum);
}

inline void launchBorderPerTapVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const auto* filter = static_cast<const float*>(c.address(a.filter));
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices);
            launch(c, &border_per_tap_volume<T>, grid, block, 0, in, filter, window, first, out);
        });
    });
}

KernelEntry border_per_tap_entry() {
    return {.launch = &launchBorderPerTap,
            .footprint = &pixelPerThreadFootprint,
            .volume = {.launch = &launchBorderPerTapVolume, .footprint = &voxelPerThreadFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
