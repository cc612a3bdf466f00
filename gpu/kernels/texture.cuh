// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values that a kernel reads through a texture, where the device has one. On the CPU they are ordinary loads; the trace
// tells them from others and counts them as a GPU's texture unit does.

#include <cstddef>
#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#include "gpu/device/cuda/linear_texture.hpp"
#endif

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

#ifdef __CUDACC__

/// Values in linear memory behind a texture object.
template <class T>
struct Texels {
    cudaTextureObject_t texture;
    unsigned first;  ///< a texture begins at a multiple of 512 bytes, the values here

    __device__ T operator[](std::size_t at) const {
        return tex1Dfetch<T>(texture, static_cast<int>(first + static_cast<unsigned>(at)));
    }
};

#ifdef __CUDACC_RTC__  // device code alone
template <class T>
Texels<T> texelsOf(const T* values, std::size_t count);
#else
/// `count` values, at most kMostTexels, in memory of the current device.
template <class T>
Texels<T> texelsOf(const T* values, std::size_t count) {
    const auto made = cuda::linearTexture(values, count);
    return {made.texture, made.first};
}
#endif

#else

template <class T>
WARPLENS_INTRINSIC T fetchTexel(const T* from) {
    WARPLENS_RECORD_FETCH(from);
    return *from;
}

#ifdef WARPLENS_TEXELS  // whoever launches knows where the kernel runs
template <class T>
struct Texels {
    std::uint64_t texture;
    unsigned first;

    __device__ T operator[](std::size_t at) const { return fetchTexel(reinterpret_cast<const T*>(texture) + at); }
};

template <class T>
Texels<T> texelsOf(const T* values, std::size_t count) {
    const auto made = warplens_texels(values, count, sizeof(T), std::is_floating_point_v<T>);
    return {made.texture, made.first};
}
#else
template <class T>
struct Texels {
    const T* values;

    __device__ T operator[](std::size_t at) const { return fetchTexel(values + at); }
};

template <class T>
Texels<T> texelsOf(const T* values, std::size_t) {
    return {values};
}
#endif

#endif

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
