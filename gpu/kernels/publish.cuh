// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a block says to blocks that run beside it: chained scans, decoupled look-back, wavefronts. A block stores its
// results, then releaseStore()s a flag; another waitUntil()s the flag and reads the results:
//
//     __shared__ unsigned ticket;
//     if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1U);          // not blockIdx: blocks begin in any order
//     __syncthreads();
//     ...                                                             // this block's own work
//     if (threadIdx.x == 0) {
//         Sum before = 0;
//         if (ticket > 0) {
//             waitUntil(&flags[ticket - 1], [](unsigned f) { return f != 0; });
//             before = sums[ticket - 1];
//         }
//         sums[ticket] = before + own;
//         releaseStore(&flags[ticket], 1U);                           // publishes sums[ticket]
//     }
//
// A block may wait only for blocks whose tickets are lower: those run or are done, on a GPU as on the SIMT device. A
// wait for any other is a deadlock; the SIMT device and the trace say so when every running block waits. Flags are
// integers of 4 or 8 bytes, so that a value of 32 bits can travel in one word with its flag. What a block's other
// threads wrote is published as well when a __syncthreads() stands before the store.

#include <cstring>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

#ifdef __CUDACC__

/// Loads a flag; what was written before the releaseStore() of the value is there to be read afterwards.
template <class T>
__device__ T acquireLoad(const T* from) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    T value;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    value = *const_cast<const volatile T*>(from);
    __threadfence();
#else
    if constexpr (sizeof(T) == 4) {
        unsigned bits;
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
        memcpy(&value, &bits, sizeof value);
    } else {
        unsigned long long bits;
        asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(bits) : "l"(from) : "memory");
        memcpy(&value, &bits, sizeof value);
    }
#endif
    return value;
}

/// Stores a flag after everything that this thread wrote before.
template <class T>
__device__ void releaseStore(T* to, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    __threadfence();
    *const_cast<volatile T*>(to) = value;
#else
    if constexpr (sizeof(T) == 4) {
        unsigned bits;
        memcpy(&bits, &value, sizeof value);
        asm volatile("st.release.gpu.u32 [%0], %1;" : : "l"(to), "r"(bits) : "memory");
    } else {
        unsigned long long bits;
        memcpy(&bits, &value, sizeof value);
        asm volatile("st.release.gpu.u64 [%0], %1;" : : "l"(to), "l"(bits) : "memory");
    }
#endif
}

/// acquireLoad()s until holds(value), and returns that value. Each thread may wait for a flag of its own. `holds` only
/// looks at the value.
template <class T, class Holds>
__device__ T waitUntil(const T* from, Holds holds) {
    T value = acquireLoad(from);
    while (!holds(value)) value = acquireLoad(from);
    return value;
}

#else

// A loop around acquireLoad() ends as well, since each lets other threads run; but only of waitUntil() is it known that
// it waits, so that a deadlock is told, and that the trace counts one load, however long the wait.
template <class T>
WARPLENS_INTRINSIC T acquireLoad(const T* from) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    WARPLENS_RECORD_ACQUIRE(from);
    simt::yield();
    return std::atomic_ref<T>(*const_cast<T*>(from)).load(std::memory_order_acquire);
}

template <class T>
WARPLENS_INTRINSIC void releaseStore(T* to, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    WARPLENS_RECORD_RELEASE(to);
    std::atomic_ref<T>(*to).store(value, std::memory_order_release);
}

template <class T, class Holds>
WARPLENS_INTRINSIC T waitUntil(const T* from, Holds holds, const char* function = __builtin_FUNCTION(), WARPLENS_HERE) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    WARPLENS_RECORD_ACQUIRE(from);
    T value{};
    const auto met = [&] {
        value = std::atomic_ref<T>(*const_cast<T*>(from)).load(std::memory_order_acquire);
        return static_cast<bool>(holds(value));
    };
    if (!met()) {
        const auto ask = [](const void* closure) { return (*static_cast<const decltype(met)*>(closure))(); };
        simt::waitUntil({ask, &met}, function, file, line);
    }
    return value;
}

#endif

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
