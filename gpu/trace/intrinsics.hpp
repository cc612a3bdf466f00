// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace warplens::gpu::trace {

/// While one lives, nothing of the running thread is recorded: what an intrinsic does inside is not what a GPU does.
class Unrecorded {
public:
    Unrecorded();
    ~Unrecorded();
    Unrecorded(const Unrecorded&) = delete;
    Unrecorded& operator=(const Unrecorded&) = delete;
};

/// What a kernel does to a word that other blocks may touch at the same time.
enum class Between { update, acquire, release, relaxedLoad, relaxedStore };

/// Records such an access, made at `caller`, and hides how it is done here. An acquire is recorded when it is done.
class Atomic {
public:
    Atomic(const volatile void* address, std::size_t bytes, const void* caller, Between access);
    ~Atomic();
    Atomic(const Atomic&) = delete;
    Atomic& operator=(const Atomic&) = delete;

private:
    const volatile void* m_address;
    std::size_t m_bytes;
    const void* m_caller;
    Between m_access;
};

/// What this block wrote before is published with its next atomic.
void recordFence();

/// Adds this lane's share of the operations of a matrix product.
void recordMatrixOperations(int count);

/// Adds a floating-point operation that an atomic of this lane does.
void recordAtomicOperation();

/// Records this lane's fetch of a value through a texture, made at `caller`.
void recordFetch(const void* address, std::size_t bytes, const void* caller);

}  // namespace warplens::gpu::trace
