// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: views, instances, grids.

#include "gpu/families/convolution/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
#include "gpu/kernels/special.cuh"
#include "gpu/kernels/view.cuh"

#include <algorithm>

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// The filter's extent: a constant (2R + 1)^2, or R = 0 for any extent known at run time.
template <int R>
struct Window {
    int runtimeWidth, runtimeHeight;
    __host__ __device__ constexpr int width() const { return R > 0 ? 2 * R + 1 : runtimeWidth; }
    __host__ __device__ constexpr int height() const { return R > 0 ? 2 * R + 1 : runtimeHeight; }
    __host__ __device__ constexpr int radiusX() const { return width() / 2; }
    __host__ __device__ constexpr int radiusY() const { return height() / 2; }
};

template <class T, bool Padded = false>
Source<T, Padded> sourceOf(LaunchContext& c, const Arguments& a) {
    return {static_cast<const T*>(c.address(a.input)),    a.width,  a.height,
            static_cast<std::size_t>(a.pitch) * a.height, a.border, {a.pitch}};
}

template <bool Padded = false>
TargetOf<Padded> targetOf(LaunchContext& c, const Arguments& a) {
    return {c.address(a.output),
            a.outputType,
            a.width,
            a.height,
            static_cast<std::size_t>(a.pitch) * a.height,
            a.offset,
            {a.pitch}};
}

/// Of a kernel that computes one pixel per thread and reads its window through the caches.
inline Footprint pixelPerThreadFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h,
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

template <class T, int R>
struct Instance {
    using Value = T;
    static constexpr int kRadius = R;
};

/// The largest radius that a kernel is compiled for on the spot.
constexpr int kMostSpecialRadius = 15;

/// Whether what is made of integers is stored as floats.
template <class T>
bool storesFloats(const Arguments& a) {
    return !std::is_same_v<T, float> && a.outputType == io::PixelType::f32;
}

/// Calls f(Out{}) for the type that is stored: T, or float.
template <class T, class F>
void dispatchOutput(const Arguments& a, F f) {
    if constexpr (!std::is_same_v<T, float>) {
        if (storesFloats<T>(a)) return f(float{});
    }
    f(T{});
}

/// The instance of kernels/KERNEL.cuh for this very filter: KERNEL<T, radius across, radius down, what is stored>.
template <class T>
Special specialOf(const Arguments& a, const char* kernel) {
    const bool small = std::max(a.filterWidth, a.filterHeight) <= 2 * kMostSpecialRadius + 1;
    return {"convolution",
            kernel,
            kernel,
            kTypeName<T>,
            {a.filterWidth / 2, a.filterHeight / 2},
            2,
            storesFloats<T>(a) ? "float" : "",
            small ? "" : "filters beyond 31 x 31 are not compiled for"};
}

/// The same for these very weights; none is wanted where that does not pay.
template <class T>
Special constantSpecialOf(const Arguments& a, const char* kernel) {
    Special special = specialOf<T>(a, kernel);
    if (a.constantTaps == 0 || *special.refusal != '\0') return {};
    special.weights = a.weights;
    return special;
}

/// The instance of a kernel that knows square filters alone: of kernels/FILE.cuh KERNEL<T, radius>. None is wanted
/// where the program's own is one, R > 0.
template <class T, int R>
Special squareSpecial(const Arguments& a, const char* file, const char* kernel) {
    if constexpr (R > 0) return {};
    const bool takes =
        a.filterWidth == a.filterHeight && a.filterWidth > 1 && a.filterWidth <= 2 * kMostSpecialRadius + 1;
    return {"convolution",
            file,
            kernel,
            kTypeName<T>,
            {a.filterWidth / 2},
            1,
            "",
            takes ? "" : "this kernel is compiled for square filters alone, up to 31 x 31"};
}
template <class T, int R>
Special squareSpecial(const Arguments& a, const char* kernel) {
    return squareSpecial<T, R>(a, kernel, kernel);
}

/// Calls f(Instance<T, R>) for the picture's type and the filter's extent. Radii 1, 2, 3, 4, 7 are unrolled for u8
/// and f32, and for u16 where a kernel asks for it; everything else runs on the general instance, R = 0. Keeps a build
/// at 13 or 18 instances a kernel.
template <bool Words = false, class F>
void dispatch(const Arguments& a, F f) {
    const auto byRadius = [&]<class T>(T) {
        const int radius = a.filterWidth == a.filterHeight ? a.filterWidth / 2 : 0;
        switch (radius) {
            case 1: return f(Instance<T, 1>{});
            case 2: return f(Instance<T, 2>{});
            case 3: return f(Instance<T, 3>{});
            case 4: return f(Instance<T, 4>{});
            case 7: return f(Instance<T, 7>{});
            default: return f(Instance<T, 0>{});
        }
    };
#ifndef __CUDACC_RTC__  // the compiler on the spot is asked for one instance by its name
    io::withSampleType(a.inputType, [&]<class T>(T sample) {
        if constexpr (std::is_same_v<T, std::uint16_t> && !Words)
            f(Instance<std::uint16_t, 0>{});
        else
            byRadius(sample);
    });
#endif
}

/// A grid has at most 65,535 layers: calls f(source, target, layers) for one stretch of planes after the other.
template <class T, bool Padded, class F>
void forLayers(Source<T, Padded> source, TargetOf<Padded> target, int planes, F f) {
    constexpr int kMostLayers = 65535;
    for (int first = 0; first < planes; first += kMostLayers) {
        const int layers = std::min(kMostLayers, planes - first);
        f(source, target, static_cast<unsigned>(layers));
        source.data += static_cast<std::size_t>(layers) * source.planeValues;
        target.data = static_cast<char*>(target.data) +
                      static_cast<std::size_t>(layers) * target.planeValues * io::sizeOf(target.type);
    }
}

template <class T, bool Padded = false, class F>
void forLayers(LaunchContext& c, const Arguments& a, F f) {
    forLayers(sourceOf<T, Padded>(c, a), targetOf<Padded>(c, a), a.planes, f);
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
