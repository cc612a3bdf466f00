// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's functions of a word's bits.

#include <bit>
#include <cstdint>
#include <cstring>

namespace warplens::gpu::simt {

template <class T>
std::uint64_t toBits(T value) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T>
T fromBits(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

}  // namespace warplens::gpu::simt

inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __popcll(unsigned long long bits) { return std::popcount(bits); }

/// The lowest set bit, counted from 1; 0 when there is none.
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1; }
inline int __ffsll(long long bits) {
    return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(bits)) + 1;
}

/// Zeros above the highest set bit: all of them when there is none.
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
inline int __clzll(long long bits) { return std::countl_zero(static_cast<unsigned long long>(bits)); }

/// The bits in reverse: of bytes first, then of pairs, of neighbours.
inline unsigned long long __brevll(unsigned long long bits) {
    bits = __builtin_bswap64(bits);
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fULL) | (bits & 0x0f0f0f0f0f0f0f0fULL) << 4;
    bits = (bits >> 2 & 0x3333333333333333ULL) | (bits & 0x3333333333333333ULL) << 2;
    return (bits >> 1 & 0x5555555555555555ULL) | (bits & 0x5555555555555555ULL) << 1;
}
inline unsigned __brev(unsigned bits) { return static_cast<unsigned>(__brevll(bits) >> 32); }

/// Four of the eight bytes of `low` and `high`: each digit of `selector` (hexadecimal, 0 to 7) names one, the lowest
/// first.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const auto bytes = static_cast<std::uint64_t>(high) << 32 | low;
    unsigned chosen = 0;
    for (unsigned i = 0; i < 4; ++i)
        chosen |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7U) & 0xffU) << 8 * i;
    return chosen;
}
