// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first in the SIMT build of a kernel: gives the host compiler CUDA's words, so that the .cuh needs no change.

#include "gpu/device/simt/bits.hpp"
#include "gpu/device/simt/builtins.hpp"

#include <atomic>
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
#define WARPLENS_RECORD_ATOMIC_OPERATION()
#define WARPLENS_RECORD_FETCH(address)
#define WARPLENS_RECORD_MATRIX_OPERATIONS(count)
#define WARPLENS_RECORD_ATOMIC(address)
#define WARPLENS_RECORD_FENCE()
#define WARPLENS_RECORD_ACQUIRE(address)
#define WARPLENS_RECORD_RELEASE(address)
#define WARPLENS_RECORD_RELAXED_LOAD(address)
#define WARPLENS_RECORD_RELAXED_STORE(address)
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

/// What came before it in this thread is seen by others before what comes after. Here atomics see to that, so that a
/// thread sanitizer understands it; the trace says where a fence is missing.
WARPLENS_INTRINSIC void __threadfence() { WARPLENS_RECORD_FENCE(); }

#include "gpu/device/simt/atomics.hpp"
#include "gpu/device/simt/tensor_cores.hpp"
#include "gpu/device/simt/warp_functions.hpp"

#ifndef WARPLENS_TRACED
#include "gpu/device/simt/launch.hpp"
#endif
