// SPDX-License-Identifier: Apache-2.0
#pragma once

// Four values a load and a store: quads of neighbouring lanes lie side by side, so that a warp moves whole sectors.

#include "gpu/families/scan/launching.cuh"

#include <cstring>

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

__device__ inline void loadQuad(const std::uint8_t* from, std::uint8_t (&to)[4]) {
    const unsigned word = *reinterpret_cast<const unsigned*>(from);
    memcpy(to, &word, sizeof word);
}
__device__ inline void loadQuad(const std::uint16_t* from, std::uint16_t (&to)[4]) {
    const Wide word = *reinterpret_cast<const Wide*>(from);
    memcpy(to, &word, sizeof word);
}
__device__ inline void loadQuad(const float* from, float (&to)[4]) {
    const float4 word = *reinterpret_cast<const float4*>(from);
    memcpy(to, &word, sizeof word);
}
__device__ inline void loadQuad(const std::uint32_t* from, std::uint32_t (&to)[4]) {
    const float4 word = *reinterpret_cast<const float4*>(from);
    memcpy(to, &word, sizeof word);
}

__device__ inline void storeQuad(std::uint8_t* to, const std::uint8_t (&from)[4]) {
    unsigned word;
    memcpy(&word, &from, sizeof word);
    *reinterpret_cast<unsigned*>(to) = word;
}
__device__ inline void storeQuad(std::uint16_t* to, const std::uint16_t (&from)[4]) {
    Wide word;
    memcpy(&word, &from, sizeof word);
    *reinterpret_cast<Wide*>(to) = word;
}
template <class Sum>
__device__ void storeQuad(Sum* to, const Sum (&from)[4]) {
    static_assert(sizeof from == sizeof(float4));
    float bits[4];
    memcpy(bits, &from, sizeof bits);
    *reinterpret_cast<float4*>(to) = make_float4(bits[0], bits[1], bits[2], bits[3]);
}

/// Four values as they lie in memory.
template <class T>
struct PackedQuad {
    unsigned word[sizeof(T)];

    /// Value v of 4, known when the loop around it is unrolled.
    __device__ T operator[](int v) const {
        if constexpr (sizeof(T) < 4) {
            constexpr int kPerWord = 4 / sizeof(T);
            return static_cast<T>(word[v / kPerWord] >> (32 / kPerWord * (v % kPerWord)));
        } else {
            T value;
            memcpy(&value, &word[v], sizeof value);
            return value;
        }
    }
    /// Has the compiler unpack values once more where they are used again, in place of keeping them apart in registers.
    __device__ void stayPacked() {
#ifdef __CUDA_ARCH__
#pragma unroll
        for (unsigned& bits : word) asm volatile("" : "+r"(bits));
#endif
    }
};

/// Values that a thread takes of a line's tile, in quads.
struct QuadPolicy {
    static constexpr unsigned kQuads = 8, kValues = 4 * kQuads;
};

/// Value i of a tile and the three after it; 0 beyond its end. `whole`: all are there, and lie where four do.
template <class T>
__device__ void loadQuadOf(const T* tile, unsigned size, unsigned i, bool whole, T (&to)[4]) {
    if (whole) return loadQuad(tile + i, to);
#pragma unroll
    for (unsigned v = 0; v < 4; ++v) to[v] = i + v < size ? tile[i + v] : T{0};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
