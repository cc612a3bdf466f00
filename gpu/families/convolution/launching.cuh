// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every launcher of the family needs: views, instances, grids.

#include "gpu/families/convolution/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"
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

template <class T>
Source<T> sourceOf(LaunchContext& c, const Arguments& a) {
    return {static_cast<const T*>(c.address(a.input)), a.width, a.height, static_cast<std::size_t>(a.width) * a.height,
            a.border};
}

inline Target targetOf(LaunchContext& c, const Arguments& a) {
    return {
        c.address(a.output), a.outputType, a.width, a.height, static_cast<std::size_t>(a.width) * a.height, a.offset};
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
    io::withSampleType(a.inputType, [&]<class T>(T sample) {
        if constexpr (std::is_same_v<T, std::uint16_t> && !Words)
            f(Instance<std::uint16_t, 0>{});
        else
            byRadius(sample);
    });
}

/// A grid has at most 65,535 layers: calls f(source, target, layers) for one stretch of planes after the other.
template <class T, class F>
void forLayers(LaunchContext& c, const Arguments& a, F f) {
    constexpr int kMostLayers = 65535;
    auto source = sourceOf<T>(c, a);
    auto target = targetOf(c, a);
    for (int first = 0; first < a.planes; first += kMostLayers) {
        const int layers = std::min(kMostLayers, a.planes - first);
        f(source, target, static_cast<unsigned>(layers));
        source.data += static_cast<std::size_t>(layers) * source.planeValues;
        target.data = static_cast<char*>(target.data) +
                      static_cast<std::size_t>(layers) * target.planeValues * io::sizeOf(target.type);
    }
}

inline dim3 blockOf(const TunableValues& t) {
    return {static_cast<unsigned>(t.at("block_width")), static_cast<unsigned>(t.at("block_height"))};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
