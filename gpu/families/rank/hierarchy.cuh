// SPDX-License-Identifier: Apache-2.0
#pragma once

// Medians of a thread's tile of 4 x 2 outputs, in registers. Two by two outputs have a core in common, whose columns
// are sorted and merged once for all of them; each output adds the column and the row that are its own. What can no
// longer be the median is dropped on the way.

#include "gpu/families/rank/strip.cuh"

namespace warplens::gpu::rank {
inline namespace WARPLENS_BUILD {

template <int R>
struct Hierarchy {
    static constexpr int kCore = 2 * R, kColumns = 4 + 2 * R, kRows = 2 * R + 2;
    static constexpr int kValues = (2 * R + 1) * (2 * R + 1), kMedian = kValues / 2;
    static constexpr Kept kInCore = keptOf(kCore * kCore, 0, 0, kMedian, kValues);
    static constexpr int kBelow = kInCore.first, kAbove = kCore * kCore - kInCore.first - kInCore.count;
    static constexpr Kept kInHalf = keptOf(kInCore.count + kCore, kBelow, kAbove, kMedian, kValues);
    static constexpr int kLast = kMedian - kBelow - kInHalf.first;  ///< the median's rank in what is left
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

/// The tile of 2 x 2 outputs whose first column of windows is `At`.
template <int R, int At, class V>
__device__ __forceinline__ void tile(const V (&core)[Hierarchy<R>::kInCore.count],
                                     const V (&columns)[Hierarchy<R>::kColumns][2 * R],
                                     const V (&in)[Hierarchy<R>::kRows][Hierarchy<R>::kColumns], V (&out)[2][4]) {
    constexpr int kBottom = Hierarchy<R>::kRows - 1;
    V top[2 * R], bottom[2 * R];
#pragma unroll
    for (int i = 0; i < 2 * R; ++i) {
        top[i] = in[0][At + 1 + i];
        bottom[i] = in[kBottom][At + 1 + i];
    }
    sort(top);
    sort(bottom);
    constexpr int kRight = At + 2 * R + 1;
    finish<R>(core, columns[At], top, bottom, in[0][At], in[kBottom][At], out[0][At], out[1][At]);
    finish<R>(core, columns[kRight], top, bottom, in[0][kRight], in[kBottom][kRight], out[0][At + 1], out[1][At + 1]);
}

/// `in`: the rows and columns around the outputs, from R above and left of them on.
template <int R, class V>
__device__ __forceinline__ void medians(const V (&in)[Hierarchy<R>::kRows][Hierarchy<R>::kColumns], V (&out)[2][4]) {
    using H = Hierarchy<R>;
    V columns[H::kColumns][H::kCore];
#pragma unroll
    for (int i = 0; i < H::kColumns; ++i) {
#pragma unroll
        for (int j = 0; j < H::kCore; ++j) columns[i][j] = in[j + 1][i];
        sort(columns[i]);
    }
    // Pairs of columns, which both tiles share but for the outermost.
    V pairs[R + 1][2 * H::kCore];
#pragma unroll
    for (int i = 0; i <= R; ++i) merge(columns[2 * i + 1], columns[2 * i + 2], pairs[i]);
    V core[H::kInCore.count];
    if constexpr (R == 1) {
        tile<R, 0>(pairs[0], columns, in, out);
        tile<R, 2>(pairs[1], columns, in, out);
    } else if constexpr (R == 2) {
        merge<H::kInCore.first>(pairs[0], pairs[1], core);
        tile<R, 0>(core, columns, in, out);
        merge<H::kInCore.first>(pairs[1], pairs[2], core);
        tile<R, 2>(core, columns, in, out);
    } else {
        static_assert(R == 3);
        V middle[4 * H::kCore];
        merge(pairs[1], pairs[2], middle);
        merge<H::kInCore.first>(middle, pairs[0], core);
        tile<R, 0>(core, columns, in, out);
        merge<H::kInCore.first>(middle, pairs[3], core);
        tile<R, 2>(core, columns, in, out);
    }
}

/// A thread's outputs: Strip::kOutputs x 2 of them.
template <class Strip, int R>
__device__ __forceinline__ void medianTile(const Picture<typename Strip::Sample>& p) {
    const int x = Strip::kOutputs * (blockIdx.x * blockDim.x + threadIdx.x);
    const int y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (!p.contains(x, y)) return;
    typename Strip::Value in[Hierarchy<R>::kRows][Hierarchy<R>::kColumns], out[2][4];
    load<Strip, R>(p, x, y, in);
    medians<R>(in, out);
    Strip::store(p, x, y, out[0]);
    Strip::store(p, x, y + 1, out[1]);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::rank
