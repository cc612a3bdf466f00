// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels on tensor cores are made of: products of small matrices of bf16 or f16, and copies that arrive while a
// warp works on. Both need compute capability 8.0; code that is compiled for
// less is empty and nobody may launch it, so that a kernel says so in its CodeNeeds.

#include <cstdint>
#include <cstring>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

constexpr int kTensorCapability = 80;  ///< for CodeNeeds

/// Two values rounded to bf16, to nearest, ties to even: the first in the lower half. Finite values below 3.38e38 stay
/// finite.
__device__ inline unsigned toBf16Pair(float low, float high) {
#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    return 0;
#endif
#else
    const auto half = [](float value) {
        unsigned bits;
        std::memcpy(&bits, &value, sizeof bits);
        return (bits + 0x7fffU + (bits >> 16 & 1U)) >> 16;
    };
    return half(low) | half(high) << 16;
#endif
}

/// The values of a pair.
__device__ inline float lowOf(unsigned pair) {
    const unsigned bits = pair << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
__device__ inline float highOf(unsigned pair) {
    const unsigned bits = pair & 0xffff0000U;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Two values rounded to f16, to nearest, ties to even: the first in the lower half. Values below 65,520 stay finite;
/// those below 2^-14 are whole multiples of 2^-24.
__device__ inline unsigned toF16Pair(float low, float high) {
#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    return 0;
#endif
#else
    return warplens::gpu::simt::toF16(low) | warplens::gpu::simt::toF16(high) << 16;
#endif
}

/// The values of a pair of f16.
__device__ inline float2 ofF16Pair(unsigned pair) {
#ifdef __CUDACC__
    float2 values{};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high;}"
        : "=f"(values.x), "=f"(values.y)
        : "r"(pair));
#endif
    return values;
#else
    return {warplens::gpu::simt::ofF16(pair & 0xffffU), warplens::gpu::simt::ofF16(pair >> 16)};
#endif
}

/// Two neighbouring bytes of a word, the lower or the upper ones, as a pair of f16 that are 2^-24 of them: a small f16
/// has its value in its lowest bits, so nothing is computed.
__device__ inline unsigned bytesAsF16(unsigned word, bool upper) {
#ifdef __CUDA_ARCH__
    return __byte_perm(word, 0, upper ? 0x4342 : 0x4140);
#else
    const unsigned two = upper ? word >> 16 : word & 0xffffU;
    return (two & 0xffU) | (two & 0xff00U) << 8;
#endif
}

/// d = a b + c by a warp: a is 16 x 16, b 16 x 8, both of bf16; c and d are 16 x 8 floats. Lane 4 g + t holds of a the
/// pairs (g, 2t), (g + 8, 2t), (g, 2t + 8), (g + 8, 2t + 8), of b the pairs (2t, g), (2t + 8, g) along its columns, of
/// c and d the values (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1). Source: PTX ISA, mma.m16n8k16.
__device__ inline void multiplyAddBf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                       const float (&c)[4]) {
#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, "
        "%12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
#endif
#else
    warplens::gpu::simt::multiplyAddBf16(d, a, b, c);
#endif
}

/// The same with f16.
__device__ inline void multiplyAddF16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                      const float (&c)[4]) {
#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, "
        "%12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
#endif
#else
    warplens::gpu::simt::multiplyAddF16(d, a, b, c);
#endif
}

/// Copies 16 bytes to shared memory, both ends aligned to that, without waiting for them.
__device__ inline void copyAsync(float* shared, const float* global) {
#ifdef __CUDACC__
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global));
#endif
#else
    *reinterpret_cast<float4*>(shared) = *reinterpret_cast<const float4*>(global);
#endif
}
/// Closes a group of this thread's copies.
__device__ inline void commitCopies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;");
#endif
}
/// Waits until at most N of this thread's groups are under way.
template <int N>
__device__ void awaitCopies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
