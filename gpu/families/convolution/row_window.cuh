// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the variants without shared memory are made of: rows that a thread loads four values at a time.

#include "gpu/families/convolution/launching.cuh"
#include "gpu/kernels/conversion.cuh"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

constexpr int kLanes = 32;
constexpr int kQuad = 4;

/// Four neighbouring values as they are stored, in words.
template <class T>
struct Quad {
    unsigned word[sizeof(T)];

    /// Value i; i is known when the loop around it is unrolled.
    __device__ float operator[](int i) const {
        if constexpr (sizeof(T) == 1)
            return byteOf(word[0], i);
        else
            return halfWordOf(word[i / 2], i % 2);
    }
};
template <>
struct Quad<float> {
    float v[kQuad];
    __device__ float operator[](int i) const { return v[i]; }
};

/// Loads four values at once; `from` is aligned to four of them. By __ldg, so that the compiler may ask early: it
/// cannot know that no store of the kernel writes what it reads.
__device__ inline Quad<float> loadQuad(const float* from) {
    const float4 all = __ldg(reinterpret_cast<const float4*>(from));
    return {{all.x, all.y, all.z, all.w}};
}
__device__ inline Quad<std::uint8_t> loadQuad(const std::uint8_t* from) {
    return {{__ldg(reinterpret_cast<const unsigned*>(from))}};
}
__device__ inline Quad<std::uint16_t> loadQuad(const std::uint16_t* from) {
    const auto all = __ldg(reinterpret_cast<const unsigned long long*>(from));
    return {{static_cast<unsigned>(all), static_cast<unsigned>(all >> 32)}};
}

__device__ inline int within(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/// Quads that a window of this radius takes on either side.
__host__ __device__ constexpr int rimQuads(int radius) { return (radius + kQuad - 1) / kQuad; }

/// C values of a row and R more on either side, in whole quads: C is a multiple of 4. A window that would reach over
/// the edge of the picture is moved inside: what a thread makes of it belongs to the frame (frame.cuh), and is not
/// stored.
template <class T, int R, int C>
struct RowWindow {
    static constexpr int kRim = rimQuads(R);
    static constexpr int kQuads = C / kQuad + 2 * kRim;
    Quad<T> quad[kQuads];

    /// The value i to the right of the leftmost that is needed: 0 .. C + 2R - 1.
    __device__ float operator[](int i) const {
        const int at = i + kQuad * kRim - R;
        return quad[at / kQuad][at % kQuad];
    }

    /// The window whose C inner values begin at x, a multiple of 4, in row y.
    template <bool Padded>
    __device__ static RowWindow load(const Plane<T, Padded>& in, int x, int y) {
        RowWindow row;
        const int line = within(y, 0, in.height - 1), left = within(x - kQuad * kRim, 0, in.pitch() - kQuad * kQuads);
        const T* const from = in.data + static_cast<std::size_t>(line) * in.pitch() + left;
#pragma unroll
        for (int q = 0; q < kQuads; ++q) row.quad[q] = loadQuad(from + q * kQuad);
        return row;
    }
};

/// Whether sums begin with the offset and need no addition for it when they are stored. Those of small filters of
/// floats do not: they wait for memory, and took 2 % longer (measurements.md). The same wherever a pixel of a task is
/// made.
template <class T>
__host__ __device__ constexpr bool offsetFirst(int filterWidth, int filterHeight) {
    return sizeof(T) < sizeof(float) || filterWidth * filterHeight > 81;
}

template <int N, int C>
__device__ void beginSums(float (&sum)[N][C], float first) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
        for (int c = 0; c < C; ++c) sum[n][c] = first;
    }
}

/// Calls f(row) with row(y)(x) a picture's values around 4 x N outputs from (x, y) on: by a pointer to the row, or with
/// the border where some of the warp's values lie outside, whose lanes are `columns` apart. So a warp takes one way.
template <int N, class T, bool Padded, class F>
__device__ void withSurroundings(const Plane<T, Padded>& in, Window<0> window, int x, int y, int columns, F f) {
    const int first = x - static_cast<int>(threadIdx.x) * columns, last = first + (kLanes - 1) * columns + kQuad - 1;
    if (in.contains(first - window.radiusX(), y - window.radiusY(), last + window.radiusX(),
                    y + N - 1 + window.radiusY())) {
        f([&in](int line) {
            const T* const from = in.data + static_cast<std::size_t>(line) * in.pitch();
            return [from](int column) { return static_cast<float>(from[column]); };
        });
    } else {
        f([&in](int line) {
            const int row = remap(line, in.height, in.border);
            const T* const from = in.data + static_cast<std::size_t>(row < 0 ? 0 : row) * in.pitch();
            return [&in, from, row](int column) {
                const int at = remap(column, in.width, in.border);
                return at < 0 || row < 0 ? 0.0F : static_cast<float>(from[at]);
            };
        });
    }
}

/// 4 x N outputs from (x, y) on, for a filter of any extent and any border: a window of four slides along each row.
/// `weight(j, i)` is the filter's: each unit has its own constants, and the linker keeps one copy of what units share.
/// `columns` are between a lane and the next.
template <int N, class T, bool Padded, class Weight>
__device__ void slideAnywhere(const Plane<T, Padded>& in, Window<0> window, Weight weight, int x, int y, int columns,
                              float (&sum)[N][kQuad]) {
    withSurroundings<N>(in, window, x, y, columns, [&](const auto& rows) {
#pragma unroll 1
        for (int j = 0; j < N - 1 + window.height(); ++j) {
            const auto at = rows(y - window.radiusY() + j);
            const int left = x - window.radiusX();
            float v[kQuad] = {0, at(left), at(left + 1), at(left + 2)};
#pragma unroll 1
            for (int i = 0; i < window.width(); ++i) {
                v[0] = v[1];
                v[1] = v[2];
                v[2] = v[3];
                v[3] = at(left + i + kQuad - 1);
#pragma unroll
                for (int n = 0; n < N; ++n) {
                    const int row = j - n;
                    if (row < 0 || row >= window.height()) continue;
                    const float w = weight(row, i);
#pragma unroll
                    for (int c = 0; c < kQuad; ++c) sum[n][c] = fmaf(w, v[c], sum[n][c]);
                }
            }
        }
    });
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
