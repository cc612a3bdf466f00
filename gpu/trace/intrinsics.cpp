// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/intrinsics.hpp"

#include "gpu/trace/record_access.hpp"

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
        Recorder::active->fetch(address, static_cast<unsigned>(bytes), placeInCode(caller));
}

Atomic::Atomic(const volatile void* address, std::size_t bytes, const void* caller, Between access)
    : m_address(address), m_bytes(bytes), m_caller(caller), m_access(access) {
    if (Recorder::active == nullptr) return;
    switch (access) {
        case Between::update: recordAccess(address, bytes, Operation::atomic, caller, Sharing::synchronised); break;
        case Between::release: recordAccess(address, bytes, Operation::store, caller, Sharing::synchronised); break;
        case Between::relaxedLoad: recordAccess(address, bytes, Operation::load, caller, Sharing::annotated); break;
        case Between::relaxedStore: recordAccess(address, bytes, Operation::store, caller, Sharing::annotated); break;
        case Between::acquire: break;
    }
    Recorder::active->pause();
}

Atomic::~Atomic() {
    if (Recorder::active == nullptr) return;
    Recorder::active->unpause();
    if (m_access == Between::acquire)
        recordAccess(m_address, m_bytes, Operation::load, m_caller, Sharing::synchronised);
    if (m_access == Between::acquire || m_access == Between::update) Recorder::active->acquired(m_address);
}

}  // namespace warplens::gpu::trace
