// SPDX-License-Identifier: Apache-2.0
#pragma once

// Accesses that race with other blocks on purpose: many blocks store the same value, or a value read too early is
// merely an old one, as in "something changed" flags, union-find and label propagation. On a GPU they are volatile:
// done, whole, in this place, without order. The trace does not report such a race but counts it ("annotated races"),
// provided that every access which can meet another is one of these, an atomic or one of publish.cuh; a plain one that
// meets them is still a finding.

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

#ifdef __CUDACC__

template <class T>
__device__ T relaxedLoad(const T* from) {
    return *const_cast<const volatile T*>(from);
}

template <class T>
__device__ void relaxedStore(T* to, T value) {
    *const_cast<volatile T*>(to) = value;
}

#else

template <class T>
WARPLENS_INTRINSIC T relaxedLoad(const T* from) {
    WARPLENS_RECORD_RELAXED_LOAD(from);
    return std::atomic_ref<T>(*const_cast<T*>(from)).load(std::memory_order_relaxed);
}

template <class T>
WARPLENS_INTRINSIC void relaxedStore(T* to, T value) {
    WARPLENS_RECORD_RELAXED_STORE(to);
    std::atomic_ref<T>(*to).store(value, std::memory_order_relaxed);
}

#endif

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
