// SPDX-License-Identifier: Apache-2.0
// Idea: the weights are the same for all threads and never change, so they belong in constant memory.
// Changed from naive: one load per inner step is gone; the constant cache hands one weight to a whole warp.
// Needs: an odd filter up to 63 x 63 (15.5 of the 64 KiB of constant memory) or 11 x 11 x 11; any picture, any border.
// Block: block_width x block_height threads, no shared memory.
// Source: Kirk and Hwu, 4th ed., section 7.3; re-derived.
// Look at: constantFilter, which is no parameter of the kernel any more.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void constant(Source<T> source, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const Plane<T> in = source.plane(blockIdx.z);
    const bool inside = blockReadsInside(in, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, windowSum(in, constantFilter, window, x, y, inside));
}

inline void launchConstant(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), layers);
            launch(c, squareSpecial<T, R>(a, "constant"), &constant<T, R>, grid, block, 0, in, window, out);
        });
    });
}

/// The same in three dimensions: the block's outputs lie in one slice, the input's slice `first` being the output's
/// first.
template <class T>
__global__ void constant_volume(Volume<T> in, Window3 window, int first, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = first + blockIdx.z;
    const bool inside = blockReadsInside(in, window, z);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, volumeSum(in, constantFilter, window, x, y, z, inside));
}

inline void launchConstantVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        forVolumes<T>(c, a, 1, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices);
            launch(c, &constant_volume<T>, grid, block, 0, in, window, first, out);
        });
    });
}

KernelEntry constant_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchConstant,
            .footprint = &pixelPerThreadFootprint,
            .volume = {.launch = &launchConstantVolume, .footprint = &voxelPerThreadFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
