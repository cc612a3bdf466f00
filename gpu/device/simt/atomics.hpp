// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's atomics, for the types that CUDA has them for. Part of kernel_environment.hpp, whose words it uses.

#include <atomic>
#include <concepts>

namespace warplens::gpu::simt {

template <class T, class... Of>
concept OneOf = (std::same_as<T, Of> || ...);
template <class T>
concept AtomicWord = OneOf<T, int, unsigned, unsigned long long>;

/// *address = next(*address), as one step; what was there before.
template <class T, class Next>
inline T update(T* address, Next next) {
    std::atomic_ref<T> cell(*address);
    T seen = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(seen, next(seen), std::memory_order_acq_rel, std::memory_order_relaxed)) {
    }
    return seen;
}

}  // namespace warplens::gpu::simt

template <class T>
requires warplens::gpu::simt::OneOf<T, int, unsigned, unsigned long long, float, double> WARPLENS_INTRINSIC T
atomicAdd(T* address, T value) {
    if constexpr (std::floating_point<T>) {
        WARPLENS_RECORD_ATOMIC_OPERATION();
    }
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_acq_rel);
}
template <class T>
requires warplens::gpu::simt::OneOf<T, int, unsigned> WARPLENS_INTRINSIC T atomicSub(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_sub(value, std::memory_order_acq_rel);
}
template <class T>
requires warplens::gpu::simt::OneOf<T, int, unsigned, unsigned long long, float> WARPLENS_INTRINSIC T
atomicExch(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).exchange(value, std::memory_order_acq_rel);
}
template <class T>
requires warplens::gpu::simt::OneOf<T, int, unsigned, long long, unsigned long long> WARPLENS_INTRINSIC T
atomicMin(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return warplens::gpu::simt::update(address, [value](T old) { return value < old ? value : old; });
}
template <class T>
requires warplens::gpu::simt::OneOf<T, int, unsigned, long long, unsigned long long> WARPLENS_INTRINSIC T
atomicMax(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return warplens::gpu::simt::update(address, [value](T old) { return value > old ? value : old; });
}
/// Counts up from 0 to `last`, and begins anew.
WARPLENS_INTRINSIC unsigned atomicInc(unsigned* address, unsigned last) {
    WARPLENS_RECORD_ATOMIC(address);
    return warplens::gpu::simt::update(address, [last](unsigned old) { return old >= last ? 0 : old + 1; });
}
/// Counts down from `first` to 0, and begins anew.
WARPLENS_INTRINSIC unsigned atomicDec(unsigned* address, unsigned first) {
    WARPLENS_RECORD_ATOMIC(address);
    return warplens::gpu::simt::update(address,
                                       [first](unsigned old) { return old == 0 || old > first ? first : old - 1; });
}
/// Stores `value` where `expected` is; what was there before.
template <warplens::gpu::simt::AtomicWord T>
WARPLENS_INTRINSIC T atomicCAS(T* address, T expected, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    std::atomic_ref<T>(*address).compare_exchange_strong(expected, value, std::memory_order_acq_rel);
    return expected;
}
template <warplens::gpu::simt::AtomicWord T>
WARPLENS_INTRINSIC T atomicAnd(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_and(value, std::memory_order_acq_rel);
}
template <warplens::gpu::simt::AtomicWord T>
WARPLENS_INTRINSIC T atomicOr(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_or(value, std::memory_order_acq_rel);
}
template <warplens::gpu::simt::AtomicWord T>
WARPLENS_INTRINSIC T atomicXor(T* address, T value) {
    WARPLENS_RECORD_ATOMIC(address);
    return std::atomic_ref<T>(*address).fetch_xor(value, std::memory_order_acq_rel);
}
