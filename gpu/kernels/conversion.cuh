// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small integers to floats and back by the bits of a float: the conversion instructions run at a quarter of the rate of
// others or less. 2^23 + n for n below 2^23 has n as its lowest bits, and adding 2^23 rounds to whole numbers, half to
// even. Source: IEEE 754; the trick is folklore.

#include <cstdint>
#include <cstring>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

constexpr float kWholeNumbers = 0x1p23F;

/// Byte i of a word, as a float.
__device__ inline float byteOf(unsigned word, int i) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(__byte_perm(word, 0x4b000000U, 0x7440 + i)) - kWholeNumbers;
#else
    return static_cast<float>(word >> (8 * i) & 0xffU);
#endif
}

/// Half i of a word, as a float.
__device__ inline float halfWordOf(unsigned word, int i) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(__byte_perm(word, 0x4b000000U, i == 0 ? 0x7410 : 0x7432)) - kWholeNumbers;
#else
    return static_cast<float>(word >> (16 * i) & 0xffffU);
#endif
}

/// Rounded half to even and saturated to 0 .. most, at most 65,535, in the lower half of a word whose upper half means
/// nothing.
__device__ inline unsigned saturated(float value, float most) {
    const float whole = fminf(fmaxf(value, 0.0F), most) + kWholeNumbers;
    unsigned bits;
    memcpy(&bits, &whole, sizeof bits);
    return bits;
}

/// Four values as bytes, the first in the lowest.
__device__ inline unsigned toBytes(const float (&v)[4]) {
    constexpr float kMost = 255;
#ifdef __CUDA_ARCH__
    const unsigned low = __byte_perm(saturated(v[0], kMost), saturated(v[1], kMost), 0x0040);
    return __byte_perm(low, __byte_perm(saturated(v[2], kMost), saturated(v[3], kMost), 0x0040), 0x5410);
#else
    unsigned all = 0;
    for (int k = 0; k < 4; ++k) all |= (saturated(v[k], kMost) & 0xffU) << (8 * k);
    return all;
#endif
}

/// Two values as bytes, the first in the lowest, rounded half to even and saturated. By instructions of their own,
/// which run beside tensor cores at no cost.
__device__ inline unsigned short toTwoBytes(float first, float second) {
#ifdef __CUDA_ARCH__
    unsigned both;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, 0;"
        : "=r"(both)
        : "r"(__float2int_rn(second)), "r"(__float2int_rn(first)));
    return static_cast<unsigned short>(both);
#else
    return static_cast<unsigned short>((saturated(first, 255) & 0xffU) | (saturated(second, 255) & 0xffU) << 8);
#endif
}

/// Four values as words of 16 bits, the first in the lowest.
__device__ inline unsigned long long toHalfWords(const float (&v)[4]) {
    unsigned long long all = 0;
    for (int k = 0; k < 4; ++k) all |= static_cast<unsigned long long>(saturated(v[k], 65535) & 0xffffU) << (16 * k);
    return all;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
