// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of a thread's strip of outputs and of what they read beside it, on the way into registers and back. Columns are
// those of one strip of four, or of two strips of four side by side in pairs: column c of the first beside column c of
// the second, so that a window slides over both at once.

#include "gpu/families/rank/launching.cuh"
#include "gpu/families/rank/registers.cuh"

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

/// One strip of four outputs a row, as keys.
template <class T>
struct OneStrip {
    using Sample = T;
    using Value = int;
    static constexpr int kOutputs = 4, kFours = 3;

    __device__ static int fromFours(const Four<T> (&fours)[kFours], int column) {
        return keyOf(fours[column / 4][column % 4]);
    }
    template <class Read>
    __device__ static int fromValues(int column, Read read) {
        return keyOf(read(column));
    }
    __device__ static void store(const Picture<T>& p, int x, int y, const int (&keys)[4]) {
        T v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) v[i] = valueOf<T>(keys[i]);
        storeRow(p, x, y, v);
    }
};

/// Two strips, as pairs. A byte stands in the upper half of its 16 bits; what stands below decides between equals only.
template <class T>
struct TwoStrips {
    static_assert(sizeof(T) <= 2);
    using Sample = T;
    using Value = Pair;
    static constexpr int kOutputs = 8, kFours = 4;
    static constexpr int kShift = 16 - 8 * sizeof(T);

    __device__ static Pair fromFours(const Four<T> (&fours)[kFours], int column) {
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

/// Rows y - R and on, columns x - R and on, of what the outputs from x on read; x is a multiple of the outputs.
template <class Strip, int R, int Rows>
__device__ __forceinline__ void load(const Picture<typename Strip::Sample>& p, int x, int y,
                                     typename Strip::Value (&in)[Rows][4 + 2 * R]) {
    using T = typename Strip::Sample;
    static_assert(R <= 4);
    constexpr int kColumns = 4 + 2 * R, kRead = Strip::kOutputs + 2 * R;
    const Layer<T> layer = p.layer();
    if (p.width % 4 == 0 && layer.contains(x - 4, y - R, x - 5 + 4 * Strip::kFours, y - R + Rows - 1)) {
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
            const T* row = layer.row(y - R + j) + x - 4;
            Four<T> fours[Strip::kFours];
#pragma unroll
            for (int i = 0; i < Strip::kFours; ++i) fours[i] = loadFour(row + 4 * i);
#pragma unroll
            for (int i = 0; i < kColumns; ++i) in[j][i] = Strip::fromFours(fours, 4 - R + i);
        }
        return;
    }
    int columns[kRead];
#pragma unroll
    for (int i = 0; i < kRead; ++i) columns[i] = remap(x - R + i, p.width, p.border);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
        const int from = remap(y - R + j, p.height, p.border);
        const T* row = layer.row(from < 0 ? 0 : from);
        const auto read = [&](int i) { return from < 0 || columns[i] < 0 ? T{} : row[columns[i]]; };
#pragma unroll
        for (int i = 0; i < kColumns; ++i) in[j][i] = Strip::fromValues(i, read);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
