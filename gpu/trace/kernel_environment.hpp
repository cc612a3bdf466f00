// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included first in the traced build of a kernel: the SIMT device's words, with a kernel inlined into one function so
// that its control-flow graph is its own, and with atomics and warp intrinsics that report themselves.

#include "gpu/trace/intrinsics.hpp"
#include "gpu/trace/vectors.hpp"

#define WARPLENS_TRACED
#define WARPLENS_BUILD trace_build
#define __global__ __attribute__((flatten, noinline))
#define __device__ __attribute__((always_inline))
#define WARPLENS_INTRINSIC inline __attribute__((noinline, no_sanitize_thread, no_sanitize_coverage))
#define WARPLENS_UNRECORDED const ::warplens::gpu::trace::Unrecorded unrecorded
#define WARPLENS_RECORD_MATRIX_OPERATIONS(count) ::warplens::gpu::trace::recordMatrixOperations(count)
#define WARPLENS_RECORD_ATOMIC_OPERATION() ::warplens::gpu::trace::recordAtomicOperation()
#define WARPLENS_RECORD_FETCH(address) \
    ::warplens::gpu::trace::recordFetch(address, sizeof *(address), __builtin_return_address(0))
#define WARPLENS_RECORD_BETWEEN(address, access)                                                         \
    const ::warplens::gpu::trace::Atomic atomic(address, sizeof *(address), __builtin_return_address(0), \
                                                ::warplens::gpu::trace::Between::access)
#define WARPLENS_RECORD_ATOMIC(address) WARPLENS_RECORD_BETWEEN(address, update)
#define WARPLENS_RECORD_ACQUIRE(address) WARPLENS_RECORD_BETWEEN(address, acquire)
#define WARPLENS_RECORD_RELEASE(address) WARPLENS_RECORD_BETWEEN(address, release)
#define WARPLENS_RECORD_RELAXED_LOAD(address) WARPLENS_RECORD_BETWEEN(address, relaxedLoad)
#define WARPLENS_RECORD_RELAXED_STORE(address) WARPLENS_RECORD_BETWEEN(address, relaxedStore)
#define WARPLENS_RECORD_FENCE() ::warplens::gpu::trace::recordFence()

#include "gpu/device/simt/kernel_environment.hpp"
#include "gpu/trace/launch.hpp"
