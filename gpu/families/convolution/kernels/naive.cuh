// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes one output and reads everything it needs from global memory, the weights too.
// Changed: nothing, this is where the ladder starts.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, Programming Massively Parallel Processors, 4th ed., section 7.2; re-derived.
// Look at: the two loads in the inner loop for one multiply-add.
#pragma once

#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void naive(Source<T> source, const float* filter, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    const bool inside = blockReadsInside(in, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, windowSum(in, filter, window, x, y, inside));
}

inline void launchNaive(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const auto* filter = static_cast<const float*>(c.address(a.filter));
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, squareSpecial<T, R>(a, "naive"), &naive<T, R>, grid, block, 0, in, filter, window, out);
        });
    });
}

/// The same in three dimensions: the block's outputs lie in one slice, the input's slice `first` being the output's
/// first.
template <class T>
__global__ void naive_volume(Volume<T> in, const float* filter, Window3 window, int first, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = first + blockIdx.z;
    const bool inside = blockReadsInside(in, window, z);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, volumeSum(in, filter, window, x, y, z, inside));
}

inline void launchNaiveVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const auto* filter = static_cast<const float*>(c.address(a.filter));
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices);
            launch(c, &naive_volume<T>, grid, block, 0, in, filter, window, first, out);
        });
    });
}

KernelEntry naive_entry() {
    return {.launch = &launchNaive,
            .footprint = &pixelPerThreadFootprint,
            .volume = {.launch = &launchNaiveVolume, .footprint = &voxelPerThreadFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
