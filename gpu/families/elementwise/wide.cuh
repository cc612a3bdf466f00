// SPDX-License-Identifier: Apache-2.0
#pragma once

// 16 bytes at a time: as many values as 16 bytes of the wider of both types hold, loaded and stored as one word of 4, 8
// or 16 bytes.

#include "gpu/families/elementwise/launching.cuh"

#include <cstring>
#include <type_traits>

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

template <class In, class Out>
constexpr int kWide = static_cast<int>(16 / (sizeof(In) > sizeof(Out) ? sizeof(In) : sizeof(Out)));

/// The vector type of so many words.
template <int Words>
using Vector = std::conditional_t<Words == 1, unsigned, std::conditional_t<Words == 2, float2, float4>>;

/// N values from a place whose number is a multiple of N, in words: what is indexed by the byte would leave registers.
template <class T, int N>
struct Words {
    static constexpr int kCount = N * static_cast<int>(sizeof(T)) / 4;
    unsigned word[kCount];

    __device__ explicit Words(const T* from) {
        const auto whole = *reinterpret_cast<const Vector<kCount>*>(from);
        memcpy(word, &whole, sizeof word);
    }
    __device__ void floats(float (&to)[N]) const {
#pragma unroll
        for (int k = 0; k < N; ++k) {
            if constexpr (sizeof(T) == 1)
                to[k] = byteOf(word[k / 4], k % 4);
            else if constexpr (sizeof(T) == 2)
                to[k] = halfWordOf(word[k / 2], k % 2);
            else
                memcpy(&to[k], &word[k], sizeof(float));
        }
    }
};

template <class T, int Count>
__device__ void storeWords(T* to, const unsigned (&words)[Count]) {
    Vector<Count> whole;
    memcpy(static_cast<void*>(&whole), words, sizeof whole);
    *reinterpret_cast<Vector<Count>*>(to) = whole;
}

template <class T, int N>
__device__ void storeWide(T* to, const float (&v)[N]) {
    unsigned words[N * static_cast<int>(sizeof(T)) / 4];
#pragma unroll
    for (int k = 0; k < N; k += 4) {
        const float four[4] = {v[k], v[k + 1], v[k + 2], v[k + 3]};
        if constexpr (sizeof(T) == 1) {
            words[k / 4] = toBytes(four);
        } else if constexpr (sizeof(T) == 2) {
            const unsigned long long both = toHalfWords(four);
            words[k / 2] = static_cast<unsigned>(both);
            words[k / 2 + 1] = static_cast<unsigned>(both >> 32);
        } else {
            memcpy(words + k, four, sizeof four);
        }
    }
    storeWords(to, words);
}

/// Calls f(Values<In>, Out()) for both types: nine instances a kernel.
template <class F>
void dispatchWide(LaunchContext& c, const Arguments& a, F f) {
    dispatch(c, a, [&]<class In>(const Values<In>& values) {
        io::withSampleType(a.outputType, [&]<class Out>(Out out) { f(values, out); });
    });
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
