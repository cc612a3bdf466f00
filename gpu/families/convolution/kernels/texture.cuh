// SPDX-License-Identifier: Apache-2.0
// Idea: the picture does not change while it is filtered, so it is read through a texture.
// Changed from constant: a value is fetched by a texture object; loops, weights and borders are as before.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11; at most 134,217,728 values, as many as a linear texture has.
// Block: block_width x block_height threads, no shared memory.
// Source: Podlozhnyuk, Image Convolution with CUDA, NVIDIA 2007 (its texture variant); re-derived.
// Look at: once textures had the only cache; since L1 caches global loads as well, the fetch gains nothing by itself.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/texels.hpp"
#include "gpu/kernels/texture.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// A plane of the input as Plane is one, its values behind a texture.
template <class T>
struct TexturePlane {
    Texels<T> texels;
    Plane<T> plane;  ///< its extent and border; its data is not read

    __device__ float operator()(int x, int y) const {
        return static_cast<float>(texels[static_cast<std::size_t>(y) * plane.pitch() + x]);
    }
    __device__ bool read(int x, int y, float& value) const {
        x = remap(x, plane.width, plane.border);
        y = remap(y, plane.height, plane.border);
        if (x < 0 || y < 0) return false;
        value = (*this)(x, y);
        return true;
    }
};

template <class T, int R>
__global__ void textured(TexturePlane<T> in, Window<R> window, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = blockReadsInside(in.plane, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y);
    if (!out.contains(x, y)) return;
    out.store(0, x, y, windowSum(in, constantFilter, window, x, y, inside));
}

inline void launchTexture(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y));
        const Window<R> window{a.filterWidth, a.filterHeight};
        Source<T> source = sourceOf<T>(c, a);
        Target out = targetOf(c, a);
        for (int plane = 0; plane < a.planes; ++plane) {
            const TexturePlane<T> in{texelsOf(source.data, source.planeValues),
                                     {nullptr, source.width, source.height, source.border, source.rowPitch}};
            launch(c, squareSpecial<T, R>(a, "texture", "textured"), &textured<T, R>, grid, block, 0, in, window, out);
            source.data += source.planeValues;
            out.data = static_cast<char*>(out.data) + out.planeValues * io::sizeOf(out.type);
        }
    });
}

inline const char* textureRefusal(const Arguments& a) {
    return static_cast<std::int64_t>(a.width) * a.height <= kMostTexels
               ? nullptr
               : "a texture has at most 134,217,728 values: constant takes more";
}

/// One channel of a volume as Volume is one, its values behind a texture.
template <class T>
struct TextureVolume {
    Texels<T> texels;
    Volume<T> volume;  ///< its extent and border; its data is not read

    __device__ float operator()(int x, int y, int z) const {
        return static_cast<float>(texels[(static_cast<std::size_t>(z) * volume.height + y) * volume.width + x]);
    }
    __device__ bool read(int x, int y, int z, float& value) const {
        x = remap(x, volume.width, volume.border);
        y = remap(y, volume.height, volume.border);
        z = remap(z, volume.depth, volume.border);
        if (x < 0 || y < 0 || z < 0) return false;
        value = (*this)(x, y, z);
        return true;
    }
};

/// The same in three dimensions: the block's outputs lie in one slice, the input's slice `first` being the output's
/// first.
template <class T>
__global__ void textured_volume(TextureVolume<T> in, Window3 window, int first, Target out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = first + blockIdx.z;
    const bool inside = blockReadsInside(in.volume, window, z);
    if (!out.contains(x, y)) return;
    out.store(blockIdx.z, x, y, volumeSum(in, constantFilter, window, x, y, z, inside));
}

inline void launchTextureVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        forVolumes<T>(c, a, 1, [&](const Volume<T>& volume, const Target& out, int first, int slices) {
            const std::size_t values = static_cast<std::size_t>(a.width) * a.height * volume.depth;
            const TextureVolume<T> in{texelsOf(volume.data, values), volume};
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), slices);
            launch(c, &textured_volume<T>, grid, block, 0, in, window, first, out);
        });
    });
}

/// A slab has the filter's reach before and behind it.
inline const char* textureVolumeRefusal(const Arguments& a) {
    return static_cast<std::int64_t>(a.width) * a.height * (a.depth + a.filterDepth - 1) <= kMostTexels
               ? nullptr
               : "a texture has at most 134,217,728 values, the filter's reach along z included: constant takes more";
}

KernelEntry texture_entry() {
    return {
        .prepare = &prepareConstantFilter,
        .launch = &launchTexture,
        .footprint = &pixelPerThreadFootprint,
        .refusal = &textureRefusal,
        .volume = {
            .launch = &launchTextureVolume, .footprint = &voxelPerThreadFootprint, .refusal = &textureVolumeRefusal}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
