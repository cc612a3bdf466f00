// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures are interleaved on the host and planar on the device. Three and four channels part and meet 16 bytes at a
// time, any other number a value at a time.

#include "gpu/kernels/layout.hpp"
#include "gpu/kernels/planes.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

template <class T>
__global__ void deinterleave(const T* interleaved, T* planar, std::size_t pixels, int channels) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = first; i < pixels; i += stride) {
        for (int c = 0; c < channels; ++c) planar[c * pixels + i] = interleaved[i * channels + c];
    }
}

template <class T>
__global__ void interleave(const T* planar, T* interleaved, std::size_t pixels, int channels) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = first; i < pixels; i += stride) {
        for (int c = 0; c < channels; ++c) interleaved[i * channels + c] = planar[c * pixels + i];
    }
}

/// Copies values from one stored type to another: the alpha channel beside a filtered picture. Widening only.
template <class From, class To>
__global__ void convert(const From* from, To* to, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        to[i] = static_cast<To>(from[i]);
    }
}

/// A block takes a row after the other.
template <class T>
__global__ void repitch(const T* from, std::size_t fromPitch, T* to, std::size_t toPitch, int width, std::size_t rows) {
    const int end = toPitch > fromPitch ? static_cast<int>(toPitch) : width;
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        for (int x = threadIdx.x; x < end; x += blockDim.x)
            to[row * toPitch + x] = x < width ? from[row * fromPitch + x] : T{};
    }
}

// Grid stride: enough blocks to fill any GPU, few enough that the SIMT device has little to start.
inline dim3 layoutGrid(std::size_t count) {
    return dim3(static_cast<unsigned>(std::clamp<std::size_t>((count + 255) / 256, 1, 132 * 64)));
}

/// Values as words of their size. 128 threads a block are the default of the rung.
inline void launchPacking(LaunchContext& c, std::uint64_t from, std::uint64_t to, std::size_t pixels, int channels,
                          io::PixelType type, bool toPlanes) {
    if (pixels == 0) return;  // packs would need no block
    const auto move = [&]<class T>(T) {
        const auto* const in = static_cast<const T*>(c.address(from));
        auto* const out = static_cast<T*>(c.address(to));
        if (channels == 3 || channels == 4)
            return launchPacked<T>(c, {in, out, static_cast<std::int64_t>(pixels), channels, toPlanes}, 128);
        launch(c, toPlanes ? &deinterleave<T> : &interleave<T>, layoutGrid(pixels), dim3(256), 0, in, out, pixels,
               channels);
    };
    switch (io::sizeOf(type)) {
        case 1: return move(std::uint8_t{});
        case 2: return move(std::uint16_t{});
        default: return move(std::uint32_t{});
    }
}

inline void launchDeinterleave(LaunchContext& c, std::uint64_t from, std::uint64_t to, std::size_t pixels, int channels,
                               io::PixelType type) {
    launchPacking(c, from, to, pixels, channels, type, true);
}

inline void launchInterleave(LaunchContext& c, std::uint64_t from, std::uint64_t to, std::size_t pixels, int channels,
                             io::PixelType type) {
    launchPacking(c, from, to, pixels, channels, type, false);
}

inline void launchConvert(LaunchContext& c, std::uint64_t from, std::size_t fromOffset, io::PixelType fromType,
                          std::uint64_t to, std::size_t toOffset, io::PixelType toType, std::size_t count) {
    const char* source = static_cast<const char*>(c.address(from)) + fromOffset;
    char* target = static_cast<char*>(c.address(to)) + toOffset;
    io::withType(fromType, [&](auto sample) {
        using T = decltype(sample);
        const auto* values = reinterpret_cast<const T*>(source);
        if (toType == fromType) {
            launch(c, &convert<T, T>, layoutGrid(count), dim3(256), 0, values, reinterpret_cast<T*>(target), count);
        } else {
            launch(c, &convert<T, float>, layoutGrid(count), dim3(256), 0, values, reinterpret_cast<float*>(target),
                   count);
        }
    });
}

inline void launchRepitch(LaunchContext& c, std::uint64_t from, std::int64_t fromPitch, std::uint64_t to,
                          std::int64_t toPitch, std::int64_t width, std::int64_t rows, io::PixelType type) {
    io::withType(type, [&]<class T>(T) {
        launch(c, &repitch<T>, layoutGrid(static_cast<std::size_t>(rows) * 256), dim3(256), 0,
               static_cast<const T*>(c.address(from)), static_cast<std::size_t>(fromPitch),
               static_cast<T*>(c.address(to)), static_cast<std::size_t>(toPitch), static_cast<int>(width),
               static_cast<std::size_t>(rows));
    });
}

LayoutEntry layoutEntryOfBuild() { return {&launchDeinterleave, &launchInterleave, &launchConvert, &launchRepitch}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
