// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first, precompiled, where the worker compiles a kernel of the user's for the SIMT device: the device's
// words, of which atomics report themselves as the compiler's hooks do. Launches are no part of it.

#include <cassert>
#include <cstdint>
#include <cstdio>

extern "C" void warplens_atomic(const volatile void* address, unsigned long bytes, const void* caller);
extern "C" void warplens_pause(int by);
extern "C" int warplens_print(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// While one lives, nothing of the running thread is checked.
struct WarplensUnrecorded {
    WarplensUnrecorded() { warplens_pause(1); }
    ~WarplensUnrecorded() { warplens_pause(-1); }
};

#define WARPLENS_TRACED
#define WARPLENS_BUILD user_build
#define __global__
#define __device__
#define WARPLENS_INTRINSIC inline __attribute__((noinline, no_sanitize_thread))
#define WARPLENS_UNRECORDED const WarplensUnrecorded unrecorded
#define WARPLENS_RECORD_ATOMIC_OPERATION()
#define WARPLENS_RECORD_FETCH(address)
#define WARPLENS_RECORD_MATRIX_OPERATIONS(count)
#define WARPLENS_RECORD_ATOMIC(address) warplens_atomic(address, sizeof *(address), __builtin_return_address(0))
#define WARPLENS_RECORD_FENCE()
#define WARPLENS_RECORD_ACQUIRE(address)
#define WARPLENS_RECORD_RELEASE(address)
#define WARPLENS_RECORD_RELAXED_LOAD(address)
#define WARPLENS_RECORD_RELAXED_STORE(address)
struct alignas(8) float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

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
inline float rsqrtf(float x) { return 1.0F / sqrtf(x); }
inline void __trap() { __builtin_trap(); }
