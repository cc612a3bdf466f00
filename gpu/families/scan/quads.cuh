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
__device__ inline void loadQuad(const double* from, double (&to)[4]) {
    const auto* const quads = reinterpret_cast<const float4*>(from);
    const float4 pairs[2] = {quads[0], quads[1]};
    memcpy(to, &pairs, sizeof pairs);
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
