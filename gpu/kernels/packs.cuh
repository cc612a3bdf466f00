// SPDX-License-Identifier: Apache-2.0
#pragma once

// 16 bytes of values in registers: loaded and stored as one, put together and taken apart by the byte.

#include "gpu/kernels/load_once.cuh"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace warplens::gpu {
inline namespace WARPLENS_BUILD {

/// Four of the eight bytes of b:a, whose number 0 is the lowest of a: each nibble of `selector` picks one.
__device__ inline unsigned permuted(unsigned a, unsigned b, unsigned selector) {
#ifdef __CUDA_ARCH__
    return __byte_perm(a, b, selector);
#else
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    unsigned made = 0;
    for (int i = 0; i < 4; ++i)
        made |= static_cast<unsigned>(both >> (8 * (selector >> (4 * i) & 7U)) & 0xffU) << (8 * i);
    return made;
#endif
}

/// What lies at a multiple of 16, as one access.
template <class T>
__device__ Pack<T> loadPack(const void* from) {
    const float4 whole = *static_cast<const float4*>(from);
    Pack<T> pack;
    memcpy(&pack, &whole, sizeof pack);
    return pack;
}

template <class T>
__device__ void storePack(void* to, const Pack<T>& pack) {
    float4 whole;
    memcpy(static_cast<void*>(&whole), &pack, sizeof whole);
    *static_cast<float4*>(to) = whole;
}

/// Sets value i of a pack whose values are zeros so far.
template <class T>
__device__ void put(Pack<T>& pack, int i, T value) {
    constexpr int kPerWord = 4 / sizeof(T);
    unsigned bits = 0;
    memcpy(&bits, &value, sizeof value);
    pack.word[i / kPerWord] |= bits << (32 / kPerWord * (i % kPerWord));
}

/// The values whose number `within` finds right, one by one; zeros for the others. For the ends of rows.
template <class T, class Within>
__device__ Pack<T> loadSome(const T* from, Within within) {
    Pack<T> pack{};
#pragma unroll
    for (int i = 0; i < Pack<T>::kValues; ++i)
        if (within(i)) put(pack, i, from[i]);
    return pack;
}

template <class T, class Within>
__device__ void storeSome(T* to, const Pack<T>& pack, Within within) {
#pragma unroll
    for (int i = 0; i < Pack<T>::kValues; ++i)
        if (within(i)) to[i] = pack[i];
}

/// Bytes from the last multiple of 16 to `address`.
__device__ inline unsigned beyondPack(const void* address) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address)) % 16;
}

/// The 16 bytes that begin `shift` bytes after the first pack of two, 0 to 15.
template <class T>
__device__ Pack<T> joined(const Pack<T>& first, const Pack<T>& second, unsigned shift) {
    unsigned w[8];
    for (int i = 0; i < 4; ++i) {
        w[i] = first.word[i];
        w[4 + i] = second.word[i];
    }
#pragma unroll
    for (int i = 0; i < 6; ++i) w[i] = (shift & 8U) != 0 ? w[i + 2] : w[i];
#pragma unroll
    for (int i = 0; i < 5; ++i) w[i] = (shift & 4U) != 0 ? w[i + 1] : w[i];
    const unsigned selector = 0x3210U + 0x1111U * (shift & 3U);
    Pack<T> pack;
#pragma unroll
    for (int i = 0; i < 4; ++i) pack.word[i] = permuted(w[i], w[i + 1], selector);
    return pack;
}

/// 16 bytes from any value on, by whole packs as long as those lie before `end`.
template <class T>
__device__ Pack<T> loadAnywhere(const T* from, const T* end) {
    const unsigned shift = beyondPack(from);
    const char* pack = reinterpret_cast<const char*>(from) - shift;
    if (shift == 0) return loadPack<T>(pack);
    if (pack + 32 <= reinterpret_cast<const char*>(end))
        return joined(loadPack<T>(pack), loadPack<T>(pack + 16), shift);
    return loadSome(from, [](int) { return true; });
}

/// The values in the other order.
template <class T>
__device__ Pack<T> reversed(const Pack<T>& pack) {
    constexpr unsigned kSelector = sizeof(T) == 1 ? 0x0123 : sizeof(T) == 2 ? 0x1032 : 0x3210;
    Pack<T> made;
#pragma unroll
    for (int i = 0; i < 4; ++i) made.word[i] = permuted(pack.word[3 - i], 0, kSelector);
    return made;
}

/// A word of values of several packs: `at(i)` is the place of its value i in all of their values.
template <class T, class At>
__device__ unsigned gathered(const Pack<T>* packs, At at) {
    const auto word = [&](int i) { return packs[at(i) / Pack<T>::kValues].word[at(i) * sizeof(T) / 4 % 4]; };
    if constexpr (sizeof(T) == 4) {
        return word(0);
    } else if constexpr (sizeof(T) == 2) {
        const unsigned low = at(0) % 2 == 0 ? 0x10 : 0x32, high = at(1) % 2 == 0 ? 0x54 : 0x76;
        return permuted(word(0), word(1), low | high << 8);
    } else {
        const auto pair = [&](int i) {
            return permuted(word(i), word(i + 1), static_cast<unsigned>(at(i) % 4 | (4 + at(i + 1) % 4) << 4));
        };
        return permuted(pair(0), pair(2), 0x5410);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu
