// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the variants without shared memory are made of: rows that a thread loads four values at a time.

#include "gpu/convolution/launching.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

constexpr int kLanes = 32;
constexpr int kQuad = 4;

/// Four neighbouring values, loaded at once.
template <class T>
struct alignas(kQuad * sizeof(T)) Quad {
    T v[kQuad];
};

template <class T>
__device__ void loadQuad(const T* from, float (&v)[kQuad]) {
    const Quad<T> all = *reinterpret_cast<const Quad<T>*>(from);
#pragma unroll
    for (int i = 0; i < kQuad; ++i) v[i] = static_cast<float>(all.v[i]);
}
__device__ inline void loadQuad(const float* from, float (&v)[kQuad]) {
    const float4 all = *reinterpret_cast<const float4*>(from);
    v[0] = all.x;
    v[1] = all.y;
    v[2] = all.z;
    v[3] = all.w;
}

/// C values of a row and R more on either side, in whole quads: C is a multiple of 4.
template <int R, int C>
struct RowWindow {
    static constexpr int kRim = (R + kQuad - 1) / kQuad;
    static constexpr int kQuads = C / kQuad + 2 * kRim;
    float quad[kQuads][kQuad];

    /// The value i to the right of the leftmost that is needed: 0 .. C + 2R - 1.
    __device__ float operator[](int i) const {
        const int at = i + kQuad * kRim - R;
        return quad[at / kQuad][at % kQuad];
    }
};

/// The window whose C inner values begin at x, a multiple of 4. Rows outside follow the border; quads outside are 0, so
/// that columns need a border of zero or a window inside. Rows must be aligned to quads (`rowsAligned`).
template <int R, int C, class T>
__device__ RowWindow<R, C> loadRow(const Plane<T>& in, int x, int y) {
    using Row = RowWindow<R, C>;
    Row row;
    const int line = remap(y, in.height, in.border);
    const T* from = in.data + static_cast<std::size_t>(line < 0 ? 0 : line) * in.width;
#pragma unroll
    for (int q = 0; q < Row::kQuads; ++q) {
        const int at = x + (q - Row::kRim) * kQuad;
#pragma unroll
        for (int i = 0; i < kQuad; ++i) row.quad[q][i] = 0;
        if (line >= 0 && at >= 0 && at < in.width) loadQuad(from + at, row.quad[q]);
    }
    return row;
}

/// Whether loadRow() serves all lanes of a warp whose outputs begin at `strip`.
template <int R, int C, class T>
__device__ bool rowsServe(const Plane<T>& in, int strip, bool aligned) {
    constexpr int kRim = RowWindow<R, C>::kRim * kQuad;
    return aligned && (in.border == Border::zero || (strip >= kRim && strip + kLanes * C + kRim <= in.width));
}

/// Whether rows of the input and of the output begin at multiples of four values.
inline bool rowsAligned(const Arguments& a) {
    return a.width % kQuad == 0;
}

/// 4 x N outputs from (x, y) on, for a filter of any extent and any border: a window of four slides along each row.
template <int N, class T, int R>
__device__ void slideAnywhere(const Plane<T>& in, Window<R> window, int x, int y, float (&sum)[N][kQuad]) {
#pragma unroll 1
    for (int j = 0; j < N - 1 + window.height(); ++j) {
        const int line = y - window.radiusY() + j, left = x - window.radiusX();
        float v[kQuad] = {0, in.at(left, line), in.at(left + 1, line), in.at(left + 2, line)};
#pragma unroll 1
        for (int i = 0; i < window.width(); ++i) {
            v[0] = v[1];
            v[1] = v[2];
            v[2] = v[3];
            v[3] = in.at(left + i + kQuad - 1, line);
#pragma unroll
            for (int n = 0; n < N; ++n) {
                const int row = j - n;
                if (row < 0 || row >= window.height()) continue;
                const float weight = constantFilter[row * window.width() + i];
#pragma unroll
                for (int c = 0; c < kQuad; ++c) sum[n][c] = fmaf(weight, v[c], sum[n][c]);
            }
        }
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
