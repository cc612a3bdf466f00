// SPDX-License-Identifier: Apache-2.0
#pragma once

// Networks on values in registers: every index is known when a kernel is compiled.

#include "gpu/families/rank/keys.cuh"
#include "gpu/families/rank/networks.hpp"

#include <utility>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// Two values of 16 bits in one register, each of which goes its own way.
struct Pair {
    unsigned bits;
};
__device__ inline Pair lower(Pair a, Pair b) {
#ifdef __CUDA_ARCH__
    return {__vminu2(a.bits, b.bits)};
#else
    const unsigned low = a.bits & 0xffffU, other = b.bits & 0xffffU;
    const unsigned high = a.bits >> 16, otherHigh = b.bits >> 16;
    return {(low < other ? low : other) | (high < otherHigh ? high : otherHigh) << 16};
#endif
}
__device__ inline Pair higher(Pair a, Pair b) {
#ifdef __CUDA_ARCH__
    return {__vmaxu2(a.bits, b.bits)};
#else
    const unsigned low = a.bits & 0xffffU, other = b.bits & 0xffffU;
    const unsigned high = a.bits >> 16, otherHigh = b.bits >> 16;
    return {(low < other ? other : low) | (high < otherHigh ? otherHigh : high) << 16};
#endif
}

/// Of floats, of which what is not a number is the largest.
__device__ inline float lower(float a, float b) {
#ifdef __CUDA_ARCH__
    return fminf(a, b);  // the number, where one is none
#else
    return a <= b || b != b ? a : b;
#endif
}
__device__ inline float higher(float a, float b) {
#ifdef __CUDA_ARCH__
    float larger;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(a), "f"(b));
    return larger;
#else
    return a <= b || b != b ? b : a;
#endif
}

template <class V>
__device__ __forceinline__ void exchange(V& first, V& second) {
    const V a = first, b = second;
    first = lower(a, b);
    second = higher(a, b);
}

#ifdef __SANITIZE_ADDRESS__
// The same exchanges from a loop: compiled one by one, with the sanitizers' checks, they take GCC minutes.
template <class Net, class V, int N, int... I>
void exchangeAll(V (&v)[N], std::integer_sequence<int, I...>) {
    static constexpr auto kNetwork = Net::kNetwork;
    for (int i = 0; i < kNetwork.count; ++i) exchange(v[kNetwork.at[i].low], v[kNetwork.at[i].high]);
}
#else
// The network's numbers stand as arguments of templates, where constants of the host may stand in device code.
template <class Net, class V, int N, int... I>
__device__ __forceinline__ void exchangeAll(V (&v)[N], std::integer_sequence<int, I...>) {
    (exchange(v[std::integral_constant<int, Net::kNetwork.at[I].low>::value],
              v[std::integral_constant<int, Net::kNetwork.at[I].high>::value]),
     ...);
}
#endif
template <class Net, int First, class V, int N, int Count, int... I>
__device__ __forceinline__ void takeAll(const V (&v)[N], V (&out)[Count], std::integer_sequence<int, I...>) {
    ((out[I] = v[std::integral_constant<int, Net::kNetwork.order.at[First + I]>::value]), ...);
}

/// Sends v through the network; `out` are the values of ranks First and on.
template <class Net, int First, class V, int N, int Count>
__device__ __forceinline__ void through(V (&v)[N], V (&out)[Count]) {
    using Needed = Pruned<Net, First, Count>;
    exchangeAll<Needed>(v, std::make_integer_sequence<int, Needed::kNetwork.count>{});
    takeAll<Needed, First>(v, out, std::make_integer_sequence<int, Count>{});
}

template <class V, int N>
__device__ __forceinline__ void sort(V (&v)[N]) {
    V sorted[N];
    through<Sort<N>, 0>(v, sorted);
#pragma unroll
    for (int i = 0; i < N; ++i) v[i] = sorted[i];
}

/// Of two sorted sequences together, the values of ranks First and on.
template <int First = 0, class V, int A, int B, int Count>
__device__ __forceinline__ void merge(const V (&a)[A], const V (&b)[B], V (&out)[Count]) {
    V both[A + B];
#pragma unroll
    for (int i = 0; i < A; ++i) both[i] = a[i];
#pragma unroll
    for (int i = 0; i < B; ++i) both[A + i] = b[i];
    through<Merge<A, B>, First>(both, out);
}

// Of i values of a and rank + 1 - i of b the largest.
template <int Rank, int I, class V, int A, int B>
__device__ __forceinline__ V largestOf(const V (&a)[A], const V (&b)[B]) {
    if constexpr (I == 0)
        return b[Rank];
    else if constexpr (I == Rank + 1)
        return a[Rank];
    else
        return higher(a[I - 1], b[Rank - I]);
}
template <int Rank, int From, class V, int A, int B, int... I>
__device__ __forceinline__ V smallestOf(const V (&a)[A], const V (&b)[B], std::integer_sequence<int, I...>) {
    V found = largestOf<Rank, From>(a, b);
    ((found = lower(found, largestOf<Rank, From + 1 + I>(a, b))), ...);
    return found;
}

/// The value of rank Rank of two sorted sequences together: however many are taken from one, the largest of so many
/// smallest is at least it, and for one number it is it.
template <int Rank, class V, int A, int B>
__device__ __forceinline__ V ranked(const V (&a)[A], const V (&b)[B]) {
    constexpr int kFrom = Rank + 1 > B ? Rank + 1 - B : 0, kTo = Rank + 1 < A ? Rank + 1 : A;
    return smallestOf<Rank, kFrom>(a, b, std::make_integer_sequence<int, kTo - kFrom>{});
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
