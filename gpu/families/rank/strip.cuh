// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of a thread's strip of outputs and of what they read beside it, on the way into registers and back. Columns are
// those of one strip of four, or of two strips of four side by side in pairs: column c of the first beside column c of
// the second, so that a window slides over both at once.

#include "gpu/families/rank/launching.cuh"
#include "gpu/families/rank/registers.cuh"

#include <type_traits>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// Four values that lie side by side from a multiple of four on, in the words that they are loaded by.
template <class T>
struct Four {
    static constexpr int kWords = sizeof(T);
    unsigned word[kWords];

    /// Value i, which is known when the kernel is compiled.
    __device__ T operator[](int i) const {
        constexpr int kPerWord = 4 / sizeof(T);
        const unsigned bits = word[i / kPerWord] >> (32 / kPerWord * (i % kPerWord));
        if constexpr (sizeof(T) < 4) return static_cast<T>(bits);
        T value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
};

template <class T>
__device__ Four<T> loadFour(const T* from) {
    Four<T> four;
    if constexpr (sizeof(T) == 1) {
        four.word[0] = *reinterpret_cast<const unsigned*>(from);
    } else if constexpr (sizeof(T) == 2) {
        const auto both = *reinterpret_cast<const unsigned long long*>(from);
        four.word[0] = static_cast<unsigned>(both);
        four.word[1] = static_cast<unsigned>(both >> 32);
    } else {
        const float4 all = *reinterpret_cast<const float4*>(from);
        memcpy(&four, &all, sizeof four);
    }
    return four;
}

template <class T>
__device__ void storeFour(T* to, const Four<T>& four) {
    if constexpr (sizeof(T) == 1) {
        __stcs(reinterpret_cast<unsigned*>(to), four.word[0]);
    } else if constexpr (sizeof(T) == 2) {
        __stcs(reinterpret_cast<unsigned long long*>(to),
               static_cast<unsigned long long>(four.word[1]) << 32 | four.word[0]);
    } else {
        float v[4];
        memcpy(v, &four, sizeof v);
        __stcs(reinterpret_cast<float4*>(to), make_float4(v[0], v[1], v[2], v[3]));
    }
}

template <class T>
__device__ Four<T> fourOf(const T (&v)[4]) {
    Four<T> four;
    if constexpr (sizeof(T) == 1) {
        four.word[0] = v[0] | v[1] << 8 | v[2] << 16 | static_cast<unsigned>(v[3]) << 24;
    } else if constexpr (sizeof(T) == 2) {
        four.word[0] = v[0] | static_cast<unsigned>(v[1]) << 16;
        four.word[1] = v[2] | static_cast<unsigned>(v[3]) << 16;
    } else {
        memcpy(&four, &v, sizeof four);
    }
    return four;
}

/// Stores those of four values from x on that lie inside; x is a multiple of four.
template <class T>
__device__ void storeRow(const Picture<T>& p, int x, int y, const T (&v)[4]) {
    if (y >= p.height) return;
    if (p.width % 4 == 0) {
        if (x < p.width) storeFour(p.target(x, y), fourOf(v));
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if (x + i < p.width) *p.target(x + i, y) = v[i];
    }
}

/// One strip of four outputs a row: floats as they are, integers as such of 32 bits.
template <class T>
struct OneStrip {
    using Sample = T;
    using Value = std::conditional_t<std::is_same_v<T, float>, float, int>;
    static constexpr int kOutputs = 4;

    template <int N>
    __device__ static Value fromFours(const Four<T> (&fours)[N], int column) {
        return fours[column / 4][column % 4];
    }
    template <class Read>
    __device__ static Value fromValues(int column, Read read) {
        return read(column);
    }
    __device__ static void store(const Picture<T>& p, int x, int y, const Value (&values)[4]) {
        T v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = static_cast<T>(values[i]);
        storeRow(p, x, y, v);
    }
};

/// Two strips, as pairs. A byte stands in the upper half of its 16 bits; what stands below decides between equals only.
template <class T>
struct TwoStrips {
    static_assert(sizeof(T) <= 2);
    using Sample = T;
    using Value = Pair;
    static constexpr int kOutputs = 8;
    static constexpr int kShift = 16 - 8 * sizeof(T);

    template <int N>
    __device__ static Pair fromFours(const Four<T> (&fours)[N], int column) {
        const Four<T>&first = fours[column / 4], &second = fours[column / 4 + 1];
        if constexpr (sizeof(T) == 1) {
            const unsigned at = column % 4;
            return {__byte_perm(first.word[0], second.word[0], (4 + at) << 12 | at << 8 | at << 4)};
        } else {
            const int word = column % 4 / 2;
            return {__byte_perm(first.word[word], second.word[word], column % 2 == 0 ? 0x5410 : 0x7632)};
        }
    }
    template <class Read>
    __device__ static Pair fromValues(int column, Read read) {
        return {static_cast<unsigned>(read(column)) << kShift | static_cast<unsigned>(read(column + 4))
                                                                    << (16 + kShift)};
    }
    __device__ static void store(const Picture<T>& p, int x, int y, const Pair (&pairs)[4]) {
        T v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = static_cast<T>(pairs[i].bits >> kShift);
        storeRow(p, x, y, v);
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = static_cast<T>(pairs[i].bits >> (16 + kShift));
        storeRow(p, x + 4, y, v);
    }
};

/// Of a layer, rows `top` and on, columns x - R + First and on of what the outputs from x on read; x is a multiple of
/// the outputs.
template <class Strip, int R, int First, int Rows, int Columns>
__device__ __forceinline__ void load(const Picture<typename Strip::Sample>& p,
                                     const Layer<typename Strip::Sample>& layer, int x, int top,
                                     typename Strip::Value (&in)[Rows][Columns]) {
    using T = typename Strip::Sample;
    // Fours begin at multiples of four; the columns lie in those from kFrom fours left of x on.
    constexpr int kFrom = (R - First + 3) / 4 * 4 - (First >= R + 4 ? (First - R) / 4 * 4 : 0);
    constexpr int kIn = kFrom - R + First;  ///< the first column's place in the first of them
    constexpr int kFours = (kIn + Columns + Strip::kOutputs - 5) / 4 + 1;
    constexpr int kRead = Columns + Strip::kOutputs - 4;
    if (p.width % 4 == 0 && layer.contains(x - kFrom, top, x - kFrom - 1 + 4 * kFours, top + Rows - 1)) {
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
            const T* row = layer.row(top + j) + x - kFrom;
            Four<T> fours[kFours];
#pragma unroll
            for (int i = 0; i < kFours; ++i) fours[i] = loadFour(row + 4 * i);
#pragma unroll
            for (int i = 0; i < Columns; ++i) in[j][i] = Strip::fromFours(fours, kIn + i);
        }
        return;
    }
    int columns[kRead];
#pragma unroll
    for (int i = 0; i < kRead; ++i) columns[i] = remap(x - R + First + i, p.width, p.border);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        const int from = remap(top + j, p.height, p.border);
        const T* row = layer.row(from < 0 ? 0 : from);
        const auto read = [&](int i) { return from < 0 || columns[i] < 0 ? T{} : row[columns[i]]; };
#pragma unroll
        for (int i = 0; i < Columns; ++i) in[j][i] = Strip::fromValues(i, read);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
