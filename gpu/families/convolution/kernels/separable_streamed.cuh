// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; a row that arrives is filtered along x at once and added to its column sums.
// Changed from separable_fused: no shared memory, no barrier: one pass over memory with 2 (2r + 1) multiplications a
// value. Needs: a separable filter (rank-1 residual at most 2 ulp); other sides than 3, 5, 7, 9, 15 go row by row in
// blocks. Block: 32 x block_height threads, 4 columns and rows_per_thread rows each, no shared memory. Source:
// Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007, as a register pipeline; ours. Look at: one row filter, then 2r
// + 1 sums that take their share of it.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows under way ahead of their use, and rows a turn of the loop. 8192 x 8192 f32 on an H200, 2026-11-21, ms, rows
/// under way: radius 1: 1 0.167, 2 0.156, 3 0.156; radius 2: 0.168, 0.160, 0.159; radius 3: 0.188, 0.178, 0.161; radius
/// 4: 0.215, 0.180, 0.163; radius 7: 0.308, 0.225, 0.256. Neighbours from the next lane instead of a wider window:
/// radius 4 0.172.
template <int R>
struct SeparableStreamedPolicy {
    static constexpr int kAhead = R == 7 ? 2 : 3;
};
constexpr int kSlideRows = 8;

template <class T, int R>
__global__ void __launch_bounds__(256) separable_streamed(Source<T> source, Target out, Frame frame, int rows) {
    constexpr int kAhead = SeparableStreamedPolicy<R>::kAhead, kSide = 2 * R + 1;
    if (frame.isBlock()) {
        return writeFrame<R, kQuad>(source, out, frame,
                                    [](int j, int i) { return constantColumn[j] * constantRow[i]; });
    }
    using Row = RowWindow<T, R, kQuad>;
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    const bool inner = frame.inner<kQuad>(x);

    float sum[kSide][kQuad] = {};  // sum k is of row y - R + k
    Row ahead[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = Row::load(in, x, first - R + a);
#pragma unroll 1
    for (int turn = first - R; turn < last + R; turn += kAhead) {
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = turn + u;
            const auto row = ahead[u];
            ahead[u] = Row::load(in, x, y + kAhead);
            float filtered[kQuad] = {};
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
#pragma unroll
                for (int c = 0; c < kQuad; ++c) filtered[c] = fmaf(constantRow[i], row[c + i], filtered[c]);
            }
#pragma unroll
            for (int k = 0; k < kSide; ++k) {
#pragma unroll
                for (int c = 0; c < kQuad; ++c) {
                    const float before = k + 1 < kSide ? sum[k + 1 < kSide ? k + 1 : k][c] : 0.0F;
                    sum[k][c] = fmaf(constantColumn[kSide - 1 - k], filtered[c], before);
                }
            }
            if (y - R >= first && y - R < last && inner) out.streamFour<T>(blockIdx.z, x, y - R, sum[0]);
        }
    }
}

/// 4 x N outputs from (x, y) on, for a filter of any extent and any border.
template <int N, class T>
__device__ void slideSeparable(const Plane<T>& in, Window<0> window, int x, int y, float (&sum)[N][kQuad]) {
    const Surroundings<N, T> at(in, window, x, y);
#pragma unroll 1
    for (int j = 0; j < N - 1 + window.height(); ++j) {
        const int line = y - window.radiusY() + j, left = x - window.radiusX();
        float v[kQuad] = {0, at(left, line), at(left + 1, line), at(left + 2, line)};
        float filtered[kQuad] = {};
#pragma unroll 1
        for (int i = 0; i < window.width(); ++i) {
            v[0] = v[1];
            v[1] = v[2];
            v[2] = v[3];
            v[3] = at(left + i + kQuad - 1, line);
#pragma unroll
            for (int c = 0; c < kQuad; ++c) filtered[c] = fmaf(constantRow[i], v[c], filtered[c]);
        }
#pragma unroll
        for (int n = 0; n < N; ++n) {
            const int row = j - n;
            if (row < 0 || row >= window.height()) continue;
#pragma unroll
            for (int c = 0; c < kQuad; ++c) sum[n][c] = fmaf(constantColumn[row], filtered[c], sum[n][c]);
        }
    }
}

/// Filters and rows of any extent.
template <class T>
__global__ void __launch_bounds__(256)
    separable_streamed_anywhere(Source<T> source, Window<0> window, Target out, int rows) {
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    const int last = first + rows < out.height ? first + rows : out.height;
    if (x >= out.width) return;
    for (int y = first; y < last; y += kSlideRows) {
        float sum[kSlideRows][kQuad] = {};
        slideSeparable(in, window, x, y, sum);
        for (int n = 0; n < kSlideRows && y + n < last; ++n) out.storeFour(blockIdx.z, x, y + n, sum[n]);
    }
}

inline Footprint separableStreamedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes,
            .blockHeight = h,
            .tileWidth = kLanes * kQuad,
            .tileHeight = h * t.at("rows_per_thread"),
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

inline void launchSeparableStreamed(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch<true>(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, static_cast<int>(block.y) * rows), layers);
            if constexpr (R > 0) {
                if (servesPlainly<T, R, kQuad>(a)) {
                    const auto frame = addFrame<R, kQuad, kQuad>(a, grid, kLanes * block.y);
                    return launch(c, &separable_streamed<T, R>, grid, block, 0, in, out, frame, rows);
                }
            }
            launch(c, &separable_streamed_anywhere<T>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight},
                   out, rows);
        });
    });
}

KernelEntry separable_streamed_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparableStreamed,
            .footprint = &separableStreamedFootprint,
            .needsSeparable = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
