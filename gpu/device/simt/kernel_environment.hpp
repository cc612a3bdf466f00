// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first in the SIMT build of a kernel: gives the host compiler CUDA's words, so that the .cuh needs no change.

#include "gpu/device/simt/builtins.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>

// The trace defines these for itself before it includes this file: it records atomics and looks away from the rest of
// what an intrinsic does.
#ifndef WARPLENS_TRACED
#define WARPLENS_BUILD simt_build
#define __global__
#define __device__
#define WARPLENS_INTRINSIC inline
#define WARPLENS_UNRECORDED
#define WARPLENS_RECORD_MATRIX_OPERATIONS(count)
#define WARPLENS_RECORD_ATOMIC(address)
#define WARPLENS_RECORD_FENCE()
#define WARPLENS_RECORD_ACQUIRE(address)
#define WARPLENS_RECORD_RELEASE(address)
struct float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
#endif
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __shared__ thread_local
// A kernel's constants belong to its own translation unit, as nvcc has it without relocatable device code.
#define __constant__ static

#define threadIdx (::warplens::gpu::simt::builtins.threadIdx)
#define blockIdx (::warplens::gpu::simt::builtins.blockIdx)
#define blockDim (::warplens::gpu::simt::builtins.blockDim)
#define gridDim (::warplens::gpu::simt::builtins.gridDim)

#define WARPLENS_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

constexpr int warpSize = 32;

inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

// Hints to a GPU's caches: not written by this kernel, read once, written and not read again. Here plain accesses.
template <class T>
__device__ inline T __ldg(const T* from) {
    return *from;
}
template <class T>
__device__ inline T __ldcs(const T* from) {
    return *from;
}
template <class T>
__device__ inline void __stcs(T* to, T value) {
    *to = value;
}

inline void __syncthreads(WARPLENS_HERE) { warplens::gpu::simt::barrier(file, line); }
inline void __syncwarp(unsigned mask = 0xffffffffU, WARPLENS_HERE) {
    warplens::gpu::simt::warpBarrier(mask, file, line);
}

namespace warplens::gpu::simt {

template <class T>
std::uint64_t toBits(T value) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
T fromBits(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

// A lane that is absent, or outside the segment, gives back the caller's own value, as the hardware does.
template <class T>
T shuffle(unsigned mask, T value, int source, int width, const char* file, int line) {
    const auto& all = warpExchange(mask, toBits(value), file, line);
    const int lane = static_cast<int>(laneOf());
    const int base = lane / width * width;
    if (source < base || source >= base + width || !(all.present >> source & 1U)) return value;
    return fromBits<T>(all.value[source]);
}

}  // namespace warplens::gpu::simt

template <class T>
WARPLENS_INTRINSIC T __shfl_sync(unsigned mask, T value, int lane, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int base = static_cast<int>(warplens::gpu::simt::laneOf()) / width * width;
    return warplens::gpu::simt::shuffle(mask, value, base + lane % width, width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane + static_cast<int>(delta), width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane - static_cast<int>(delta), width, file, line);
}
template <class T>
WARPLENS_INTRINSIC T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const int lane = static_cast<int>(warplens::gpu::simt::laneOf());
    return warplens::gpu::simt::shuffle(mask, value, lane ^ bits, width, file, line);
}
WARPLENS_INTRINSIC unsigned __ballot_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const auto& all = warplens::gpu::simt::warpExchange(mask, predicate != 0, file, line);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; ++lane) votes |= (all.present >> lane & 1U && all.value[lane]) ? 1U << lane : 0U;
    return votes;
}
inline int __any_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    return __ballot_sync(mask, predicate, file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, WARPLENS_HERE) {
    return __ballot_sync(mask, predicate, file, line) == mask;
}

/// The lanes of `mask` whose value is this lane's own.
template <class T>
WARPLENS_INTRINSIC unsigned __match_any_sync(unsigned mask, T value, WARPLENS_HERE) {
    WARPLENS_UNRECORDED;
    const auto& all = warplens::gpu::simt::warpExchange(mask, warplens::gpu::simt::toBits(value), file, line);
    unsigned same = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        same |= (all.present >> lane & 1U && all.value[lane] == warplens::gpu::simt::toBits(value)) ? 1U << lane : 0U;
    }
    return same;
}
inline int __popc(unsigned bits) { return std::popcount(bits); }
/// The lowest set bit, counted from 1; 0 when there is none.
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1; }

/// What came before it in this thread is seen by others before what comes after. Here atomics see to that, so that a
/// thread sanitizer understands it; the trace says where a fence is missing.
WARPLENS_INTRINSIC void __threadfence() { WARPLENS_RECORD_FENCE(); }

template <class T>
WARPLENS_INTRINSIC T atomicAdd(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_acq_rel);
}
template <class T>
WARPLENS_INTRINSIC T atomicMax(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    std::atomic_ref<T> cell(*address);
    T seen = cell.load(std::memory_order_relaxed);
    while (seen < value && !cell.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
    return seen;
}

#include "gpu/device/simt/tensor_cores.hpp"

#ifndef WARPLENS_TRACED
#include "gpu/device/simt/launch.hpp"
#endif
