// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values as integers of the same order: comparing them needs no case for what is not a number, which comes last.

#include <climits>
#include <cstdint>
#include <cstring>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

__device__ inline int keyOf(std::uint8_t value) { return value; }
__device__ inline int keyOf(std::uint16_t value) { return value; }
/// A negative float's magnitude bits count downwards. -0 comes before 0, which are equal.
__device__ inline int keyOf(float value) {
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? INT_MAX : bits ^ ((bits >> 31) & INT_MAX);
}

template <class T>
__device__ T valueOf(int key) {
    return static_cast<T>(key);
}
template <>
__device__ inline float valueOf<float>(int key) {
    const int bits = key ^ ((key >> 31) & INT_MAX);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

__device__ inline int lower(int a, int b) { return a < b ? a : b; }
__device__ inline int higher(int a, int b) { return a < b ? b : a; }

/// Bits of a type's keys, and the key as an unsigned integer whose bits from there on decide the order.
template <class T>
constexpr int kKeyBits = 8 * sizeof(T);
template <class T>
__device__ unsigned orderedBits(int key) {
    return static_cast<unsigned>(key) ^ (sizeof(T) == 4 ? 0x80000000U : 0U);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
