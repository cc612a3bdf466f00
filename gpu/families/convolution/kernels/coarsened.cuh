// SPDX-License-Identifier: Apache-2.0
// Idea: fewer threads, each computing several outputs a grid apart, so that setting up a thread pays off more often.
// Changed from constant: a grid-stride loop down the picture, or through the slices, around the same inner loops.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, no shared memory; outputs_per_thread outputs per thread.
// Source: Kirk and Hwu, 4th ed., section 6.3 (thread coarsening); re-derived.
// Look at: the step of the loop: neighbouring threads still read neighbouring values.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R>
__global__ void coarsened(Source<T> source, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const Plane<T> in = source.plane(blockIdx.z);
    const int step = gridDim.y * blockDim.y;
    for (int blockY = blockIdx.y * blockDim.y; blockY < out.height; blockY += step) {
        const bool inside = blockReadsInside(in, window, blockIdx.x * blockDim.x, blockY);
        const int y = blockY + threadIdx.y;
        if (out.contains(x, y)) out.store(blockIdx.z, x, y, windowSum(in, constantFilter, window, x, y, inside));
    }
}

inline void launchCoarsened(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        const int rowsPerBlock = static_cast<int>(block.y) * t.at("outputs_per_thread");
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, rowsPerBlock), layers);
            launch(c, squareSpecial<T, R>(a, "coarsened"), &coarsened<T, R>, grid, block, 0, in, window, out);
        });
    });
}

/// The same in three dimensions: a thread's outputs lie behind each other, a grid apart, the input's slice `first`
/// being the output's first.
template <class T>
__global__ void coarsened_volume(Volume<T> in, Window3 window, int first, int slices, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int z = blockIdx.z; z < slices; z += gridDim.z) {
        const bool inside = blockReadsInside(in, window, first + z);
        if (out.contains(x, y)) out.store(z, x, y, volumeSum(in, constantFilter, window, x, y, first + z, inside));
    }
}

inline void launchCoarsenedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const int outputs = t.at("outputs_per_thread");
        forVolumes<T>(c, a, outputs, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), ceilDiv(slices, outputs));
            launch(c, &coarsened_volume<T>, grid, block, 0, in, window, first, slices, out);
        });
    });
}

// The outputs of a block lie a grid apart; what is drawn is the tile of one step.
KernelEntry coarsened_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchCoarsened,
            .footprint = &pixelPerThreadFootprint,
            .volume = {.launch = &launchCoarsenedVolume, .footprint = &voxelPerThreadFootprint}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
