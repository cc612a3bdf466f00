// SPDX-License-Identifier: Apache-2.0
// What the compiler calls in a traced unit: at each basic block, and before each access to memory. These take the place
// of a sanitizer's runtime.
#include "gpu/trace/intrinsics.hpp"
#include "gpu/trace/recorder.hpp"

namespace {

using warplens::gpu::Operation;
using warplens::gpu::trace::Recorder;
using warplens::gpu::trace::Sharing;

inline std::uint32_t codeAddress(const void* caller) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(caller));
}

inline void record(const volatile void* address, std::size_t size, Operation operation, const void* caller,
                   Sharing sharing = Sharing::plain) {
    if (Recorder::active != nullptr)
        Recorder::active->access(address, static_cast<unsigned>(size), operation, codeAddress(caller), sharing);
}

}  // namespace

#pragma GCC diagnostic ignored "-Wmissing-declarations"

#define WARPLENS_HOOKS(size)                                                                                       \
    void __tsan_read##size(void* p) { record(p, size, Operation::load, __builtin_return_address(0)); }             \
    void __tsan_write##size(void* p) { record(p, size, Operation::store, __builtin_return_address(0)); }           \
    void __tsan_unaligned_read##size(void* p) { record(p, size, Operation::load, __builtin_return_address(0)); }   \
    void __tsan_unaligned_write##size(void* p) { record(p, size, Operation::store, __builtin_return_address(0)); } \
    void __tsan_volatile_read##size(void* p) { record(p, size, Operation::load, __builtin_return_address(0)); }    \
    void __tsan_volatile_write##size(void* p) { record(p, size, Operation::store, __builtin_return_address(0)); }

// Atomics of a kernel report themselves, and their insides are not recorded: here they are merely done.
#define WARPLENS_ATOMIC_HOOKS(bits, T)                                                                                \
    T __tsan_atomic##bits##_load(const volatile T* p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }           \
    void __tsan_atomic##bits##_store(volatile T* p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }           \
    T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) { return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) { return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_and(volatile T* p, T v, int) { return __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_or(volatile T* p, T v, int) { return __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST); }   \
    T __tsan_atomic##bits##_fetch_xor(volatile T* p, T v, int) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); } \
    T __tsan_atomic##bits##_fetch_nand(volatile T* p, T v, int) {                                                     \
        return __atomic_fetch_nand(p, v, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                                 \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* e, T v, int, int) {                           \
        return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
    }                                                                                                                 \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* e, T v, int, int) {                             \
        return __atomic_compare_exchange_n(p, e, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                        \
    }

extern "C" {

void __sanitizer_cov_trace_pc() {
    if (Recorder::active != nullptr) Recorder::active->enterBasicBlock(codeAddress(__builtin_return_address(0)));
}

WARPLENS_HOOKS(1)
WARPLENS_HOOKS(2)
WARPLENS_HOOKS(4)
WARPLENS_HOOKS(8)
WARPLENS_HOOKS(16)
void __tsan_read_range(void* p, std::size_t size) { record(p, size, Operation::load, __builtin_return_address(0)); }
void __tsan_write_range(void* p, std::size_t size) { record(p, size, Operation::store, __builtin_return_address(0)); }

WARPLENS_ATOMIC_HOOKS(8, unsigned char)
WARPLENS_ATOMIC_HOOKS(16, unsigned short)
WARPLENS_ATOMIC_HOOKS(32, unsigned)
WARPLENS_ATOMIC_HOOKS(64, unsigned long)
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_read(void*) {}
void __tsan_vptr_update(void*, void*) {}

}  // extern "C"

namespace warplens::gpu::trace {

Unrecorded::Unrecorded() {
    if (Recorder::active != nullptr) Recorder::active->pause();
}

Unrecorded::~Unrecorded() {
    if (Recorder::active != nullptr) Recorder::active->unpause();
}

void recordFence() {
    if (Recorder::active != nullptr) Recorder::active->fence();
}

void recordMatrixOperations(int count) {
    if (Recorder::active != nullptr) Recorder::active->matrixOperations(count);
}

void recordAtomicOperation() {
    if (Recorder::active != nullptr) Recorder::active->atomicOperation();
}

void recordFetch(const void* address, std::size_t bytes, const void* caller) {
    if (Recorder::active != nullptr)
        Recorder::active->fetch(address, static_cast<unsigned>(bytes), codeAddress(caller));
}

Atomic::Atomic(const volatile void* address, std::size_t bytes, const void* caller, Between access)
    : m_address(address), m_bytes(bytes), m_caller(caller), m_access(access) {
    if (Recorder::active == nullptr) return;
    switch (access) {
        case Between::update: record(address, bytes, Operation::atomic, caller, Sharing::synchronised); break;
        case Between::release: record(address, bytes, Operation::store, caller, Sharing::synchronised); break;
        case Between::relaxedLoad: record(address, bytes, Operation::load, caller, Sharing::annotated); break;
        case Between::relaxedStore: record(address, bytes, Operation::store, caller, Sharing::annotated); break;
        case Between::acquire: break;
    }
    Recorder::active->pause();
}

Atomic::~Atomic() {
    if (Recorder::active == nullptr) return;
    Recorder::active->unpause();
    if (m_access == Between::acquire) record(m_address, m_bytes, Operation::load, m_caller, Sharing::synchronised);
    if (m_access == Between::acquire || m_access == Between::update) Recorder::active->acquired(m_address);
}

}  // namespace warplens::gpu::trace
