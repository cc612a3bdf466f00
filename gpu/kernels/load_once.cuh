// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// 16 bytes of values as they lie in memory. Words and not an array of T: what is indexed by the byte would not stay in
/// registers.
template <class T>
struct alignas(16) Pack {
    static constexpr int kValues = 16 / sizeof(T);
    unsigned word[4];

    /// Value i of kValues; i is known when the loop around it is unrolled.
    __device__ T operator[](int i) const {
        constexpr int kPerWord = 4 / sizeof(T);
        const unsigned bits = word[i / kPerWord] >> (32 / kPerWord * (i % kPerWord));
        if constexpr (sizeof(T) < 4) return static_cast<T>(bits);
        T value;
        memcpy(&value, &bits, sizeof(T));
        return value;
    }
};

/// Loads values that no block reads again and this kernel does not write: past the first-level cache.
template <class T>
__device__ Pack<T> loadOnce(const Pack<T>* from) {
#ifdef __CUDA_ARCH__
    Pack<T> pack;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(pack.word[0]), "=r"(pack.word[1]), "=r"(pack.word[2]), "=r"(pack.word[3])
                 : "l"(from));
    return pack;
#else
    // As one vector, or the trace would see four loads.
    const float4 whole = *reinterpret_cast<const float4*>(from);
    Pack<T> pack;
    memcpy(&pack, &whole, sizeof pack);
    return pack;
#endif
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
