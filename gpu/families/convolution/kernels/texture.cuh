// SPDX-License-Identifier: Apache-2.0
// Idea: the picture does not change while it is filtered, so it is read through a texture.
// Changed from constant: a value is fetched by a texture object; loops, weights and borders are as before.
// Needs: an odd filter up to 63 x 63; a plane of at most 134,217,728 values, as many as a texture of linear memory has.
// Block: block_width x block_height threads, no shared memory.
// Source: Podlozhnyuk, Image Convolution with CUDA, NVIDIA 2007 (its texture variant); re-derived.
// Look at: once textures had the only cache; since L1 caches global loads as well, the fetch gains nothing by itself.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
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
        return static_cast<float>(texels[static_cast<std::size_t>(y) * plane.width + x]);
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
                                     {nullptr, source.width, source.height, source.border}};
            launch(c, &textured<T, R>, grid, block, 0, in, window, out);
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

KernelEntry texture_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchTexture,
            .footprint = &pixelPerThreadFootprint,
            .refusal = &textureRefusal};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
