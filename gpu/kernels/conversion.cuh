// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small integers to floats by the bits of a float: conversion instructions run at a quarter of the rate of others or
// less, and a kernel loads so many values that it would wait for them. 2^23 + n for n below 2^23 has n as its lowest
// bits, and adding 2^23 rounds to whole numbers, half to even. Source: IEEE 754; the trick is folklore.

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

// Values that are stored are few: a conversion, and half an instruction that saturates and packs two integers, take
// fewer issue slots than bits do (the convolution's measurements.md). From compute capability 7.2 on.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 720
/// Two values as bytes in the lower half, the first in the lowest, below the lower half of `above`.
__device__ inline unsigned packBytes(float first, float second, unsigned above) {
    unsigned all;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
        : "=r"(all)
        : "r"(__float2int_rn(second)), "r"(__float2int_rn(first)), "r"(above));
    return all;
}
/// Two values as words of 16 bits, the first in the lower half.
__device__ inline unsigned packHalfWords(float first, float second) {
    unsigned both;
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(both) : "r"(__float2int_rn(second)), "r"(__float2int_rn(first)));
    return both;
}
#else
__device__ inline unsigned packBytes(float first, float second, unsigned above) {
    return (saturated(first, 255) & 0xffU) | (saturated(second, 255) & 0xffU) << 8 | above << 16;
}
__device__ inline unsigned packHalfWords(float first, float second) {
    return (saturated(first, 65535) & 0xffffU) | saturated(second, 65535) << 16;
}
#endif

/// Four values as bytes, the first in the lowest, rounded half to even and saturated.
__device__ inline unsigned toBytes(const float (&v)[4]) { return packBytes(v[0], v[1], packBytes(v[2], v[3], 0)); }

/// Two values as bytes, the first in the lowest.
__device__ inline unsigned short toTwoBytes(float first, float second) {
    return static_cast<unsigned short>(packBytes(first, second, 0));
}

/// Four values as words of 16 bits, the first in the lowest.
__device__ inline unsigned long long toHalfWords(const float (&v)[4]) {
    return packHalfWords(v[0], v[1]) | static_cast<unsigned long long>(packHalfWords(v[2], v[3])) << 32;
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
