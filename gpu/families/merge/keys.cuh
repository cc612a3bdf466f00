// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order of values, as integers that compare alike: -infinity, ..., -0, +0, ..., +infinity, NaN. Equal keys are
// equal bits, so that no two values change places that could be told apart.

#include "gpu/kernels/load_once.cuh"
#include "io/pixel_type.hpp"

#include <cstdint>
#include <limits>

namespace warplens::gpu::merge {
inline namespace WARPLENS_BUILD {

/// Values that are their own keys: u8, u16 and u32.
template <class T>
struct Unsigned {
    using Value = T;
    using Key = T;

    __device__ static Key key(Value value) { return value; }
    __device__ static Value value(Key key) { return key; }
    __device__ static void toKeys(Pack<Value>&) {}
    __device__ static Key onlyNaN(Key key) { return key; }
    __device__ static bool number(Key) { return true; }
    static constexpr Key kLargest = std::numeric_limits<T>::max();
};

/// Bits of i32 and f32. Of a negative float all bits but the sign count the other way.
struct Signed {
    using Value = unsigned;
    using Key = int;
    static constexpr int kInfinity = 0x7f800000, kNaN = 0x7fffffff;

    int flipped = 0;  ///< kNaN of f32, 0 of i32

    __device__ Key key(Value value) const {
        const int bits = static_cast<int>(value);
        return bits ^ (bits >> 31 & flipped);
    }
    __device__ void toKeys(Pack<Value>& pack) const {
#pragma unroll
        for (unsigned& word : pack.word) word = static_cast<unsigned>(key(word));
    }
    __device__ Value value(Key key) const { return static_cast<unsigned>(key ^ (key >> 31 & flipped)); }
    /// Every NaN becomes the last one.
    __device__ Key onlyNaN(Key key) const { return number(key) ? key : kNaN; }
    __device__ bool number(Key key) const { return flipped == 0 || (key <= kInfinity && key >= ~kInfinity); }
    static constexpr Key kLargest = kNaN;
};

/// Calls f(order) for a picture's type: four instances a kernel.
template <class F>
void dispatch(io::PixelType type, F f) {
    switch (type) {
        case io::PixelType::u8: return f(Unsigned<std::uint8_t>{});
        case io::PixelType::u16: return f(Unsigned<std::uint16_t>{});
        case io::PixelType::u32: return f(Unsigned<std::uint32_t>{});
        case io::PixelType::i32: return f(Signed{});
        case io::PixelType::f32: return f(Signed{Signed::kNaN});
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::merge
