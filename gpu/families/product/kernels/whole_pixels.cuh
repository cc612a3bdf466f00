// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes all three channels of four pixels, and stores four values of each at once.
// Changed from naive: every value is loaded once, not once per colour; 4, 8 or 16 bytes per load.
// Needs: colours. Wide accesses where the number of pixels is a multiple of four.
// Block: block_width threads, no shared memory.
// Source: our own.
// Look at: bytes: three times four values in, as many out, nine multiply-adds a pixel: memory is all it waits for.
#pragma once

#include "gpu/families/product/launching.cuh"
#include "gpu/kernels/conversion.cuh"

#include <type_traits>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// Four neighbours as floats; wide where they start at a multiple of their size.
template <class T>
__device__ void loadFour(const T* from, bool wide, int there, float (&to)[4]) {
    if (!wide) {
        for (int i = 0; i < 4; ++i) to[i] = i < there ? static_cast<float>(from[i]) : 0.0F;
    } else if constexpr (std::is_same_v<T, float>) {
        const float4 four = *reinterpret_cast<const float4*>(from);
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    } else if constexpr (sizeof(T) == 1) {
        const unsigned word = *reinterpret_cast<const unsigned*>(from);
        for (int i = 0; i < 4; ++i) to[i] = byteOf(word, i);
    } else {
        const auto both = *reinterpret_cast<const unsigned long long*>(from);
        for (int i = 0; i < 4; ++i) to[i] = halfWordOf(static_cast<unsigned>(both >> (i / 2 * 32)), i % 2);
    }
}

template <class T>
__device__ void storeWhole(T* to, bool wide, int there, const float (&v)[4]) {
    if (wide) {
        if constexpr (std::is_same_v<T, float>)
            *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
        else if constexpr (sizeof(T) == 1)
            *reinterpret_cast<unsigned*>(to) = toBytes(v);
        else
            *reinterpret_cast<unsigned long long*>(to) = toHalfWords(v);
        return;
    }
    for (int i = 0; i < there; ++i) {
        if constexpr (std::is_same_v<T, float>)
            to[i] = v[i];
        else if constexpr (sizeof(T) == 1)
            to[i] = Target::toByte(v[i]);
        else
            to[i] = Target::toWord(v[i]);
    }
}

template <class T>
__global__ void whole_pixels(const T* in, T* out, Mixing mix) {
    const std::int64_t first = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * 4;
    if (first >= mix.pixels) return;
    const bool wide = mix.pixels % 4 == 0;
    const int there = static_cast<int>(mix.pixels - first < 4 ? mix.pixels - first : 4);
    float colour[3][4];
#pragma unroll
    for (int k = 0; k < 3; ++k) loadFour(in + k * mix.pixels + first, wide, there, colour[k]);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        float made[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            made[i] = mix.weights[4 * k + 3];
#pragma unroll
            for (int from = 0; from < 3; ++from) made[i] += mix.weights[4 * k + from] * colour[from][i];
        }
        storeWhole(out + k * mix.pixels + first, wide, there, made);
    }
    // Not through floats: a NaN keeps its bits.
    for (int i = 0; mix.channels == 4 && i < there; ++i)
        out[3 * mix.pixels + first + i] = in[3 * mix.pixels + first + i];
}

inline void launchWholePixels(LaunchContext& c, const Mixing& mix, const TunableValues& t) {
    const std::int64_t values = std::int64_t{t.at("block_width")} * 4;
    const dim3 grid(static_cast<unsigned>((mix.pixels + values - 1) / values));
    io::withSampleType(mix.type, [&]<class T>(T) {
        launch(c, &whole_pixels<T>, grid, dim3(static_cast<unsigned>(t.at("block_width"))), 0,
               static_cast<const T*>(c.address(mix.input)), static_cast<T*>(c.address(mix.output)), mix);
    });
}

inline Footprint wholeFootprint(const Case&, const TunableValues& t) {
    const int width = t.at("block_width");
    return {.blockWidth = width, .blockHeight = 1, .tileWidth = 4 * width, .tileHeight = 1, .order = Order::rows};
}

KernelEntry whole_pixels_entry() { return {.mix = &launchWholePixels, .footprint = &wholeFootprint}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
