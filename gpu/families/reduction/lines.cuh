// SPDX-License-Identifier: Apache-2.0
#pragma once

// What projections keep of a line, and how they store it.

#include "gpu/families/reduction/launching.cuh"

#include <cmath>

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

/// A line's values so far. Of integers the sum is exact, of floats in f64; NaN is left out.
template <class T>
struct Line {
    using Sum = std::conditional_t<sizeof(T) == 4, double, Wide>;
    using Extreme = std::conditional_t<sizeof(T) == 4, float, std::uint32_t>;
    static constexpr bool kFloats = sizeof(T) == 4;
    Sum sum = 0;
    Wide count = 0;
    Extreme low, high;

    __device__ Line() {
        if constexpr (kFloats) {
            low = INFINITY;
            high = -INFINITY;
        } else {
            low = 0xffffffffU;
            high = 0;
        }
    }
    __device__ void add(T value) {
        if (value != value) return;
        ++count;
        sum += static_cast<Sum>(value);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    __device__ void merge(const Line& other) {
        count += other.count;
        sum += other.sum;
        low = other.low < low ? other.low : low;
        high = other.high > high ? other.high : high;
    }
};

/// A projection's values: an output for each (outer, inner) of Lines.
template <class T>
struct Rays {
    const T* in;
    void* out;
    Wide length, inner, outputs;
    Keep keep;

    /// The first value of an output's line; the others lie `inner` apart.
    __device__ const T* lineOf(Wide output) const { return in + output / inner * inner * length + output % inner; }
    __device__ void store(Wide output, const Line<T>& line) const {
        const bool none = line.count == 0;
        if (keep == Keep::mean) {
            static_cast<float*>(out)[output] =
                none ? NAN : static_cast<float>(static_cast<double>(line.sum) / static_cast<double>(line.count));
        } else if (keep == Keep::sum) {
            if constexpr (Line<T>::kFloats)
                static_cast<float*>(out)[output] = static_cast<float>(line.sum);
            else
                static_cast<std::uint32_t*>(out)[output] = static_cast<std::uint32_t>(line.sum);
        } else {
            const auto kept = keep == Keep::maximum ? line.high : line.low;
            if constexpr (Line<T>::kFloats)
                static_cast<float*>(out)[output] = none ? NAN : kept;
            else
                static_cast<T*>(out)[output] = static_cast<T>(kept);
        }
    }
};

/// Calls f(Rays<T>) for the values' type: three instances a kernel.
template <class F>
void dispatchRays(LaunchContext& c, const Arguments& a, F f) {
    const auto of = [&]<class T>(T) {
        f(Rays<T>{static_cast<const T*>(c.address(a.input)), c.address(a.result), a.lines.length, a.lines.inner,
                  a.lines.outputs(), a.keep});
    };
    switch (a.type) {
        case io::PixelType::u8: return of(std::uint8_t{});
        case io::PixelType::u16: return of(std::uint16_t{});
        default: return of(float{});
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
