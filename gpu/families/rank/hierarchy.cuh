// SPDX-License-Identifier: Apache-2.0
#pragma once

// Medians of a thread's tile of 4 x 2 outputs, in registers. All of them have columns in common, two by two outputs a
// core around those, all sorted and merged once; each output adds the column and the row that are its own. What can no
// longer be the median is dropped on the way.

#include "gpu/families/rank/strip.cuh"

#include <type_traits>

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

/// Windows of N values whose columns have Length: of four outputs beside one another, two by two have 2 R of 2 R + 1
/// columns in common, all four the columns 3 to 2 R, with R = 1 none.
template <int R, int Length, int N>
struct Cores {
    static constexpr int kRadius = R, kLength = Length, kValues = N, kMedian = N / 2;
    static constexpr int kColumns = 4 + 2 * R, kCommon = 2 * R - 2;
    static constexpr Kept kInMiddle = keptOf(kCommon * kLength, 0, 0, kMedian, kValues);
    static constexpr int kBelowMiddle = kInMiddle.first,
                         kAboveMiddle = kCommon * kLength - kInMiddle.first - kInMiddle.count;
    static constexpr Kept kInCore = keptOf(kInMiddle.count + 2 * kLength, kBelowMiddle, kAboveMiddle, kMedian, kValues);
    static constexpr int kBelow = kBelowMiddle + kInCore.first, kAbove = 2 * R * kLength - kBelow - kInCore.count;
};

/// Squares, of whose columns the core has not the first and the last row.
template <int R>
struct Hierarchy : Cores<R, 2 * R, (2 * R + 1) * (2 * R + 1)> {
    using C = Cores<R, 2 * R, (2 * R + 1) * (2 * R + 1)>;
    static constexpr Kept kInHalf = keptOf(C::kInCore.count + 2 * R, C::kBelow, C::kAbove, C::kMedian, C::kValues);
    static constexpr int kLast = C::kMedian - C::kBelow - kInHalf.first;  ///< the median's rank in what is left
};

/// The outputs of one column of a tile: its core and the column beside it, then each output's row, which begins `from`.
template <int R, class V>
__device__ __forceinline__ void finish(const V (&core)[Hierarchy<R>::kInCore.count], const V (&column)[2 * R],
                                       const V (&top)[2 * R], const V (&bottom)[2 * R], V topCorner, V bottomCorner,
                                       V& first, V& second) {
    using H = Hierarchy<R>;
    V half[H::kInHalf.count];
    merge<H::kInHalf.first>(core, column, half);
    V row[2 * R + 1];
    V corner[1] = {topCorner};
    merge(top, corner, row);
    first = ranked<H::kLast>(half, row);
    corner[0] = bottomCorner;
    merge(bottom, corner, row);
    second = ranked<H::kLast>(half, row);
}

/// The tile of 2 x 2 outputs whose first column of windows is `At`; beside its core lie `left` and `right`.
template <int R, int At, class V, class Around>
__device__ __forceinline__ void tile(const V (&core)[Hierarchy<R>::kInCore.count], const V (&left)[2 * R],
                                     const V (&right)[2 * R], const Around& around, V (&out)[2][4]) {
    constexpr int kRight = 2 * R + 1;
    V rows[2][kRight + 1], top[2 * R], bottom[2 * R];
    around.template rows<At>(rows);
#pragma unroll
    for (int i = 0; i < 2 * R; ++i) {
        top[i] = rows[0][1 + i];
        bottom[i] = rows[1][1 + i];
    }
    sort(top);
    sort(bottom);
    finish<R>(core, left, top, bottom, rows[0][0], rows[1][0], out[0][At], out[1][At]);
    finish<R>(core, right, top, bottom, rows[0][kRight], rows[1][kRight], out[0][At + 1], out[1][At + 1]);
}

/// Of Count sorted columns from From on, the values of ranks First and on.
template <int From, int Count, int First, class V, int Columns, int Length, int Kept>
__device__ __forceinline__ void mergeColumns(const V (&columns)[Columns][Length], V (&out)[Kept]) {
    if constexpr (Count == 1) {
#pragma unroll
        for (int i = 0; i < Length; ++i) out[i] = columns[From][i];
    } else {
        constexpr int kHalf = Count / 2;
        V first[kHalf * Length], second[(Count - kHalf) * Length];
        mergeColumns<From, kHalf, 0>(columns, first);
        mergeColumns<From + kHalf, Count - kHalf, 0>(columns, second);
        merge<First>(first, second, out);
    }
}

/// The core of two outputs: the columns that all four have in common and two more.
template <class C, class V, int Middle>
__device__ __forceinline__ void widen(const V (&middle)[Middle], const V (&first)[C::kLength],
                                      const V (&second)[C::kLength], V (&core)[C::kInCore.count]) {
    if constexpr (C::kCommon == 0) {
        merge<C::kInCore.first>(first, second, core);
    } else {
        V pair[2 * C::kLength];
        merge(first, second, pair);
        merge<C::kInCore.first>(middle, pair, core);
    }
}

template <int Count, class V, int Length>
__device__ __forceinline__ void sortColumns(V (&columns)[Count][Length]) {
#pragma unroll
    for (int i = 0; i < Count; ++i) sort(columns[i]);
}

/// Calls finish<0> for the first two outputs and finish<2> for the others, with their core and the columns left and
/// right of it. `around` gives the columns.
template <class C, class V, class Around, class Finish>
__device__ __forceinline__ void forCores(const Around& around, const Finish& finish) {
    V middle[C::kCommon == 0 ? 1 : C::kInMiddle.count], left[3][C::kLength], right[3][C::kLength];
    V core[C::kInCore.count];
    if constexpr (C::kCommon > 0) {
        V common[C::kCommon][C::kLength];
        around.template columns<3>(common);
        sortColumns(common);
        mergeColumns<0, C::kCommon, C::kInMiddle.first>(common, middle);
    }
    around.template columns<0>(left);
    around.template columns<C::kColumns - 3>(right);
    sortColumns(left);
    sortColumns(right);
    widen<C>(middle, left[1], left[2], core);
    finish(std::integral_constant<int, 0>{}, core, left[0], right[0]);
    widen<C>(middle, right[0], right[1], core);
    finish(std::integral_constant<int, 2>{}, core, left[2], right[2]);
}

/// `around` gives the columns of the windows without the rows above and below every core, and those rows.
template <int R, class V, class Around>
__device__ __forceinline__ void medians(const Around& around, V (&out)[2][4]) {
    using H = Hierarchy<R>;
    forCores<H, V>(around,
                   [&]<int At>(std::integral_constant<int, At>, const V(&core)[H::kInCore.count], const V(&left)[2 * R],
                               const V(&right)[2 * R]) { tile<R, At>(core, left, right, around, out); });
}

/// Of the rows around a thread's outputs the 2 R + 2 from `top` on: all were loaded at once, so that much is under way.
template <class V, int R, int Rows>
struct InRegisters {
    static constexpr int kColumns = 4 + 2 * R;
    const V (&in)[Rows][kColumns];
    int top;

    template <int First, int Count>
    __device__ __forceinline__ void columns(V (&out)[Count][2 * R]) const {
#pragma unroll
        for (int i = 0; i < Count; ++i) {
#pragma unroll
            for (int j = 0; j < 2 * R; ++j) out[i][j] = in[top + j + 1][First + i];
        }
    }
    template <int First, int Count>
    __device__ __forceinline__ void rows(V (&out)[2][Count]) const {
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            out[0][i] = in[top][First + i];
            out[1][i] = in[top + 2 * R + 1][First + i];
        }
    }
};

/// Loaded when it is needed, for the large windows, which do not fit.
template <class Strip, int R>
struct InPicture {
    using Value = typename Strip::Value;
    const Picture<typename Strip::Sample>& p;
    int x, y;

    template <int First, int Count>
    __device__ __forceinline__ void columns(Value (&out)[Count][2 * R]) const {
        Value in[2 * R][Count];
        load<Strip, R, First>(p, p.layer(), x, y - R + 1, in);
#pragma unroll
        for (int i = 0; i < Count; ++i) {
#pragma unroll
            for (int j = 0; j < 2 * R; ++j) out[i][j] = in[j][i];
        }
    }
    template <int First, int Count>
    __device__ __forceinline__ void rows(Value (&out)[2][Count]) const {
        Value row[1][Count];
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            load<Strip, R, First>(p, p.layer(), x, y - R + j * (2 * R + 1), row);
#pragma unroll
            for (int i = 0; i < Count; ++i) out[j][i] = row[0][i];
        }
    }
};

/// A thread's outputs: Strip::kOutputs x 2 of them.
template <class Strip, int R>
__device__ __forceinline__ void medianTile(const Picture<typename Strip::Sample>& p) {
    const int x = Strip::kOutputs * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (!p.contains(x, y)) return;
    typename Strip::Value out[2][4];
    medians<R>(InPicture<Strip, R>{p, x, y}, out);
    Strip::store(p, x, y, out[0]);
    Strip::store(p, x, y + 1, out[1]);
}

/// Strip::kOutputs x 2 Tiles of them, from rows that are all loaded first: for small windows.
template <class Strip, int R, int Tiles>
__device__ __forceinline__ void medianTilesAtOnce(const Picture<typename Strip::Sample>& p) {
    using V = typename Strip::Value;
    const int x = Strip::kOutputs * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = 2 * Tiles * (blockIdx.y * blockDim.y + threadIdx.y);
    if (!p.contains(x, y)) return;
    constexpr int kRows = 2 * (Tiles + R);
    V in[kRows][4 + 2 * R];
    load<Strip, R, 0>(p, p.layer(), x, y - R, in);
#pragma unroll
    for (int i = 0; i < Tiles; ++i) {
        V out[2][4];
        medians<R>(InRegisters<V, R, kRows>{in, 2 * i}, out);
        Strip::store(p, x, y + 2 * i, out[0]);
        Strip::store(p, x, y + 2 * i + 1, out[1]);
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
