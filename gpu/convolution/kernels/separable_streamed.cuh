// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; a row that arrives is filtered along x at once and added to its column sums.
// Changed from separable_fused: no shared memory, no barrier: one pass over memory with 2 (2r + 1) multiplications a value.
// Needs: a separable filter (rank-1 residual at most 2 ulp); other extents than 3, 5, 7, 9, 15 go row by row in blocks.
// Block: 32 x block_height threads, 4 columns and rows_per_thread rows each, no shared memory.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007, as a register pipeline; ours.
// Look at: one row filter, then 2r + 1 sums that take their share of it.
#pragma once

#include "gpu/convolution/constant_filter.cuh"
#include "gpu/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows under way ahead of their use, and rows a turn of the loop, a multiple of that: where it is 2r + 1 the sums need no
/// move. 8192 x 8192 f32 on an H200, 2026-11-21, ms: radius 2: 5 ahead 0.150, 2 0.155; radius 3: 7 ahead 0.155, 2 0.163,
/// 1 0.182; radius 4: 3 ahead 0.161, 1 0.203; radius 7: 2 ahead 2 a turn 0.192, 1 and 5 0.214, 3 and 15 0.238.
template <int R>
struct SeparableStreamedPolicy {
    static constexpr int kAhead = R == 7 ? 2 : R == 4 ? 3 : R == 1 ? 6 : 2 * R + 1;
    static constexpr int kTurn = R == 7 ? 2 : R == 1 ? 6 : 2 * R + 1;
    static constexpr int kSlideRows = 8;
};

template <class T, int R>
__device__ void streamSeparable(const Plane<T>& in, const Target& out, int x, int first, int last) {
    using Policy = SeparableStreamedPolicy<R>;
    constexpr int kAhead = Policy::kAhead, kSide = 2 * R + 1;
    float sum[kSide][kQuad] = {};  // sum k is of row y - R + k
    RowWindow<R, kQuad> ahead[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = loadRow<R, kQuad>(in, x, first - R + a);
#pragma unroll 1
    for (int turn = first - R; turn < last + R; turn += Policy::kTurn) {
#pragma unroll
        for (int u = 0; u < Policy::kTurn; ++u) {
            const int y = turn + u;
            const auto row = ahead[u % kAhead];
            ahead[u % kAhead] = loadRow<R, kQuad>(in, x, y + kAhead);
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
            if (y - R >= first && y - R < last) out.storeFour(blockIdx.z, x, y - R, sum[0], true);
        }
    }
}

/// 4 x N outputs from (x, y) on, for a filter of any extent and any border.
template <int N, class T, int R>
__device__ void slideSeparable(const Plane<T>& in, Window<R> window, int x, int y, float (&sum)[N][kQuad]) {
#pragma unroll 1
    for (int j = 0; j < N - 1 + window.height(); ++j) {
        const int line = y - window.radiusY() + j, left = x - window.radiusX();
        float v[kQuad] = {0, in.at(left, line), in.at(left + 1, line), in.at(left + 2, line)};
        float filtered[kQuad] = {};
#pragma unroll 1
        for (int i = 0; i < window.width(); ++i) {
            v[0] = v[1];
            v[1] = v[2];
            v[2] = v[3];
            v[3] = in.at(left + i + kQuad - 1, line);
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

template <class T, int R>
__global__ void __launch_bounds__(256) separable_streamed(Source<T> source, Window<R> window, Target out, int rows, bool aligned) {
    constexpr int kSlide = SeparableStreamedPolicy<R>::kSlideRows;
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    if (!out.contains(x, first)) return;
    const int last = first + rows < out.height ? first + rows : out.height;

    if (R > 0 && rowsServe<R, kQuad>(in, blockIdx.x * kLanes * kQuad, aligned)) {
        if constexpr (R > 0) streamSeparable<T, R>(in, out, x, first, last);
        return;
    }
    for (int y = first; y < last; y += kSlide) {
        float sum[kSlide][kQuad] = {};
        slideSeparable(in, window, x, y, sum);
        for (int n = 0; n < kSlide; ++n) {
            if (y + n < last) out.storeFour(blockIdx.z, x, y + n, sum[n], aligned);
        }
    }
}

inline Footprint separableStreamedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes, .blockHeight = h, .tileWidth = kLanes * kQuad, .tileHeight = h * t.at("rows_per_thread"),
            .haloX = filterWidth / 2, .haloY = filterHeight / 2, .haloThroughCache = true};
}

inline void launchSeparableStreamed(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, static_cast<int>(block.y) * rows), layers);
            launch(c, &separable_streamed<T, R>, grid, block, 0, in, window, out, rows, rowsAligned(a));
        });
    });
}

KernelEntry separable_streamed_entry() {
    return {.prepare = &prepareConstantFactors, .launch = &launchSeparableStreamed, .footprint = &separableStreamedFootprint,
            .needsSeparable = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
