// SPDX-License-Identifier: Apache-2.0
#pragma once

// A filter's row or column over values in shared memory: a thread's window of registers slides along them four at a
// time.

#include <cstddef>
#include <utility>

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Where a quad comes in the window's turn, known when the code is compiled, as registers have no index.
template <int I>
struct Place {
    static constexpr int value = I;
};

/// Quads in a turn of a window for N neighbouring outputs: a multiple of the N / 4 + 1 that are in use and of N / 4.
template <int N>
constexpr int kTurn = N == 8 ? 4 : 8;

/// sum[k] += weights[t] * value(k + t) for all t < taps, N neighbours k at once; taps is odd, weights are aligned to
/// four floats. `load(Place<i>, quad)` gives the next four values, i counting round 0 .. kTurn - 1 from 0 on; it is
/// asked for as many as the taps need, rounded up to four. A value that no tap falls on is not multiplied: infinities
/// stay where they are.
template <int N, class Load>
__device__ __forceinline__ void slideQuads(float (&sum)[N], const float* weights, int taps, Load load) {
    static_assert(N == 8 || N == 16);
    constexpr int kHeld = N / 4, kQuads = kTurn<N>;
    float quad[kQuads][4];
    const auto next = [&]<int I>(Place<I>) { load(Place<I % kQuads>{}, quad[I % kQuads]); };
    const auto multiply = [&]<int I, int Taps>(Place<I>, Place<Taps>) {
        const float4 four = *reinterpret_cast<const float4*>(weights + 4 * I);
        const float w[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int t = 0; t < Taps; ++t) {
#pragma unroll
            for (int k = 0; k < N; ++k) sum[k] = fmaf(w[t], quad[((k + t) / 4 + I) % kQuads][(k + t) % 4], sum[k]);
        }
    };
    const auto whole = [&]<int I>(Place<I>) {
        next(Place<I + kHeld>{});
        multiply(Place<I>{}, Place<4>{});
    };
    const auto ends = [&]<int I>(Place<I>) {
        if (taps > 4 * I + 4) return whole(Place<I>{}), false;
        if (taps == 4 * I + 3)
            next(Place<I + kHeld>{}), multiply(Place<I>{}, Place<3>{});
        else
            multiply(Place<I>{}, Place<1>{});
        return true;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) { (next(Place<static_cast<int>(I)>{}), ...); }
    (std::make_index_sequence<kHeld>{});
    [&]<std::size_t... I>(std::index_sequence<I...>) {
#pragma unroll 1
        for (; taps > 4 * kQuads; taps -= 4 * kQuads, weights += 4 * kQuads) (whole(Place<static_cast<int>(I)>{}), ...);
        static_cast<void>((ends(Place<static_cast<int>(I)>{}) || ...));
    }
    (std::make_index_sequence<kQuads>{});
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
