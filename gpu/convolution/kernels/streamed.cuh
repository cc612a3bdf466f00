// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; each row that arrives is added to all the sums it belongs to, then forgotten.
// Changed from register_blocked: every row is loaded once a march, and registers hold sums alone: 2r + 1 rows of them.
// Needs: an odd filter up to 63 x 63; other extents than 3, 5, 7, 9, 15 slide over blocks of 8 x 4 instead.
// Block: 32 x block_height threads, 8 columns and rows_per_thread rows each, no shared memory.
// Source: the register pipeline of Holewinski et al., ICS 2012, for one step of a dense filter; re-derived.
// Look at: the sums that move up by one while they grow: sum k becomes sum k - 1 of the next row.
#pragma once

#include "gpu/convolution/constant_filter.cuh"
#include "gpu/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

struct StreamedPolicy {
    /// Columns a thread. 8192 x 8192 f32 on an H200, 2026-11-21, ms: radius 3: 4 0.207, 8 0.185; radius 4: 4 0.261, 8 0.234;
    /// radius 7: 4 0.638, 8 0.585. Rows are asked for one ahead: without, 0.259 at radius 4 and 0.668 at radius 7.
    static constexpr int kColumns = 8;
    static constexpr int kQuads = kColumns / kQuad;
    static constexpr int kSlideRows = 4;
};

template <class T, int R>
__device__ void streamRows(const Plane<T>& in, const Target& out, int x, int first, int last) {
    constexpr int kColumns = StreamedPolicy::kColumns, kSide = 2 * R + 1;
    float sum[kSide][kColumns] = {};  // sum k is of row y - R + k once they have moved
    auto arriving = loadRow<R, kColumns>(in, x, first - R);
#pragma unroll 1
    for (int y = first - R; y < last + R; ++y) {
        const auto row = arriving;
        arriving = loadRow<R, kColumns>(in, x, y + 1);  // asked for now, needed in the next turn
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
#pragma unroll
            for (int c = 0; c < kColumns; ++c) sum[k][c] = k + 1 < kSide ? sum[k + 1 < kSide ? k + 1 : k][c] : 0.0F;
        }
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            const int target = y - R + k;
            if (target < first || target >= last) continue;  // the same for the whole warp
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
                const float weight = constantFilter[(kSide - 1 - k) * kSide + i];
#pragma unroll
                for (int c = 0; c < kColumns; ++c) sum[k][c] = fmaf(weight, row[c + i], sum[k][c]);
            }
        }
        if (y - R >= first) {
#pragma unroll
            for (int q = 0; q < StreamedPolicy::kQuads; ++q) {
                const float four[kQuad] = {sum[0][kQuad * q], sum[0][kQuad * q + 1], sum[0][kQuad * q + 2], sum[0][kQuad * q + 3]};
                out.storeFour(blockIdx.z, x + kQuad * q, y - R, four, true);
            }
        }
    }
}

template <class T, int R>
__global__ void __launch_bounds__(256) streamed(Source<T> source, Window<R> window, Target out, int rows, bool aligned) {
    constexpr int kColumns = StreamedPolicy::kColumns, kSlide = StreamedPolicy::kSlideRows;
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kColumns;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    if (!out.contains(x, first)) return;
    const int last = first + rows < out.height ? first + rows : out.height;

    if (R > 0 && rowsServe<R, kColumns>(in, blockIdx.x * kLanes * kColumns, aligned)) {
        if constexpr (R > 0) streamRows<T, R>(in, out, x, first, last);
        return;
    }
    for (int y = first; y < last; y += kSlide) {
        for (int q = 0; q < StreamedPolicy::kQuads; ++q) {
            float sum[kSlide][kQuad] = {};
            slideAnywhere(in, window, x + kQuad * q, y, sum);
            for (int n = 0; n < kSlide; ++n) {
                if (y + n < last) out.storeFour(blockIdx.z, x + kQuad * q, y + n, sum[n], aligned);
            }
        }
    }
}

inline Footprint streamedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes, .blockHeight = h, .tileWidth = kLanes * StreamedPolicy::kColumns,
            .tileHeight = h * t.at("rows_per_thread"), .haloX = filterWidth / 2, .haloY = filterHeight / 2, .haloThroughCache = true};
}

inline void launchStreamed(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        const Window<R> window{a.filterWidth, a.filterHeight};
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, kLanes * StreamedPolicy::kColumns), ceilDiv(a.height, static_cast<int>(block.y) * rows),
                            layers);
            launch(c, &streamed<T, R>, grid, block, 0, in, window, out, rows, rowsAligned(a));
        });
    });
}

KernelEntry streamed_entry() {
    return {.prepare = &prepareConstantFilter, .launch = &launchStreamed, .footprint = &streamedFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
