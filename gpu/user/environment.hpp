// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first, precompiled, where the worker compiles a kernel of the user's for the SIMT device: the device's
// words, of which atomics report themselves as the compiler's hooks do. Launches are no part of it.

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <type_traits>

extern "C" void warplens_atomic(const volatile void* address, unsigned long bytes, const void* caller);
extern "C" void warplens_atomic_done(const volatile void* address);
extern "C" void warplens_fence();
extern "C" void warplens_operations(int ofAtomics, int ofMatrices);
extern "C" void warplens_pause(int by);
extern "C" void warplens_fetch(const volatile void* address, unsigned long bytes, const void* caller);
/// How a word is touched that other blocks may touch at the same time.
enum class WarplensBetween { acquire, release, relaxedLoad, relaxedStore };
extern "C" void warplens_between(const volatile void* address, unsigned long bytes, const void* caller, int how);
extern "C" void warplens_between_done(const volatile void* address, unsigned long bytes, const void* caller, int how);
extern "C" int warplens_print(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// While one lives, nothing of the running thread is checked.
#define WARPLENS_UNWATCHED __attribute__((no_sanitize_thread, no_sanitize_coverage))
struct WarplensUnrecorded {
    WARPLENS_UNWATCHED WarplensUnrecorded() { warplens_pause(1); }
    WARPLENS_UNWATCHED ~WarplensUnrecorded() { warplens_pause(-1); }
};
/// Around an atomic: tells of it, and hides how it is done here.
struct WarplensAtomic {
    WARPLENS_UNWATCHED WarplensAtomic(const volatile void* at, unsigned long bytes, const void* caller) : address(at) {
        warplens_atomic(at, bytes, caller);
        warplens_pause(1);
    }
    WARPLENS_UNWATCHED ~WarplensAtomic() {
        warplens_pause(-1);
        warplens_atomic_done(address);
    }
    const volatile void* address;
};
/// The same around an access that is no atomic on a GPU.
struct WarplensShared {
    WARPLENS_UNWATCHED WarplensShared(const volatile void* at, unsigned long size, const void* by, WarplensBetween as)
        : address(at), bytes(size), caller(by), how(static_cast<int>(as)) {
        warplens_between(address, bytes, caller, how);
        warplens_pause(1);
    }
    WARPLENS_UNWATCHED ~WarplensShared() {
        warplens_pause(-1);
        warplens_between_done(address, bytes, caller, how);
    }
    const volatile void* address;
    unsigned long bytes;
    const void* caller;
    int how;
};

#define WARPLENS_TRACED
#define WARPLENS_BUILD user_build
#ifdef WARPLENS_COUNTED
// One function, as its flow is counted.
#define __global__ __attribute__((flatten, noinline))
#else
#define __global__
#endif
#ifdef WARPLENS_VECTORS
// Counts of a copy of ours are held against ours: of the trace's own vectors, each kernel wholly one function.
#define __device__ __attribute__((always_inline))
#include WARPLENS_VECTORS
#else
#define __device__
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
#endif
struct float3 {
    float x, y, z;
};
#define WARPLENS_INTRINSIC inline __attribute__((noinline, no_sanitize_thread, no_sanitize_coverage))
#define WARPLENS_UNRECORDED const WarplensUnrecorded unrecorded
#define WARPLENS_RECORD_ATOMIC_OPERATION() warplens_operations(1, 0)
#define WARPLENS_RECORD_FETCH(address) warplens_fetch(address, sizeof *(address), __builtin_return_address(0))
#define WARPLENS_RECORD_MATRIX_OPERATIONS(count) warplens_operations(0, count)
#define WARPLENS_RECORD_ATOMIC(address) \
    const WarplensAtomic atomic(address, sizeof *(address), __builtin_return_address(0))
#define WARPLENS_RECORD_FENCE() warplens_fence()
#define WARPLENS_RECORD_BETWEEN(address, how) \
    const WarplensShared between(address, sizeof *(address), __builtin_return_address(0), WarplensBetween::how)
#define WARPLENS_RECORD_ACQUIRE(address) WARPLENS_RECORD_BETWEEN(address, acquire)
#define WARPLENS_RECORD_RELEASE(address) WARPLENS_RECORD_BETWEEN(address, release)
#define WARPLENS_RECORD_RELAXED_LOAD(address) WARPLENS_RECORD_BETWEEN(address, relaxedLoad)
#define WARPLENS_RECORD_RELAXED_STORE(address) WARPLENS_RECORD_BETWEEN(address, relaxedStore)

#include "gpu/device/simt/kernel_environment.hpp"

#define printf warplens_print

template <class T>
inline T min(T a, T b) {
    return b < a ? b : a;
}
template <class T>
inline T max(T a, T b) {
    return a < b ? b : a;
}
/// As CUDA's, whose arguments convert: atomicAdd(&count, 1) of an unsigned count.
#define WARPLENS_CONVERTING(function)                                                                                \
    template <class T, class V>                                                                                      \
    requires(!std::is_same_v<T, V> && std::is_convertible_v<V, T>) inline __attribute__((always_inline)) T function( \
        T* address, V value) {                                                                                       \
        return function(address, static_cast<T>(value));                                                             \
    }
WARPLENS_CONVERTING(atomicAdd)
WARPLENS_CONVERTING(atomicSub)
WARPLENS_CONVERTING(atomicExch)
WARPLENS_CONVERTING(atomicMin)
WARPLENS_CONVERTING(atomicMax)
inline float rsqrtf(float x) { return 1.0F / sqrtf(x); }
inline void __trap() { __builtin_trap(); }
