// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; each row that arrives is added to all the sums it belongs to, then forgotten.
// Changed from register_blocked: every row is loaded once per march, and registers hold only sums: 2r + 1 rows of them.
// Needs: an odd filter up to 63 x 63; other extents than 3, 5, 7, 9, 15 slide over blocks of 8 x 4 instead.
// Block: 32 x block_height threads, 8 columns and rows_per_thread rows each, no shared memory.
// Source: the register pipeline of Holewinski et al., ICS 2012, for one step of a dense filter; re-derived.
// Look at: the sums that move up by one while they grow: sum k becomes sum k - 1 of the next row.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

struct StreamedPolicy {
    /// Columns a thread. 8192 x 8192 f32 on an H200, 2026-11-21, ms, 8 columns: radius 1 0.153, 2 0.159, 3 0.183, 4
    /// 0.232, 7 0.599, of which the frame takes 0.009 at radius 4 and 0.037 at 7. A prototype with 4: radius 4 0.261, 7
    /// 0.638. Rows are asked for one ahead: without, the prototype took 0.259 at radius 4 and 0.668 at radius 7.
    static constexpr int kColumns = 8;
    static constexpr int kSlideRows = 4;
};

template <class T, int R>
__global__ void __launch_bounds__(256) streamed(Source<T> source, Target out, Frame frame, int rows) {
    constexpr int kColumns = StreamedPolicy::kColumns, kSide = 2 * R + 1;
    if (frame.isBlock()) {
        return writeFrame<R, kQuad>(source, out, frame, [](int j, int i) { return constantFilter[j * kSide + i]; });
    }
    using Row = RowWindow<T, R, kColumns>;
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kColumns;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    const bool inner = frame.inner<kColumns>(x);

    float sum[kSide][kColumns] = {};  // sum k is of row y - R + k once they have moved
    auto arriving = Row::load(in, x, first - R);
#pragma unroll 1
    for (int y = first - R; y < last + R; ++y) {
        const auto row = arriving;
        arriving = Row::load(in, x, y + 1);  // asked for now, needed in the next turn
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            float grown[kColumns];
#pragma unroll
            for (int c = 0; c < kColumns; ++c) grown[c] = k + 1 < kSide ? sum[k + 1 < kSide ? k + 1 : k][c] : 0.0F;
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
                const float weight = constantFilter[(kSide - 1 - k) * kSide + i];
#pragma unroll
                for (int c = 0; c < kColumns; ++c) grown[c] = fmaf(weight, row[c + i], grown[c]);
            }
#pragma unroll
            for (int c = 0; c < kColumns; ++c) sum[k][c] = grown[c];
        }
        if (y - R >= first && inner) {
#pragma unroll
            for (int q = 0; q < kColumns / kQuad; ++q) {
                const float four[kQuad] = {sum[0][kQuad * q], sum[0][kQuad * q + 1], sum[0][kQuad * q + 2],
                                           sum[0][kQuad * q + 3]};
                out.streamFour<T>(blockIdx.z, x + kQuad * q, y - R, four);
            }
        }
    }
}

/// Filters and rows of any extent.
template <class T>
__global__ void __launch_bounds__(256) streamed_anywhere(Source<T> source, Window<0> window, Target out, int rows) {
    constexpr int kSlide = StreamedPolicy::kSlideRows;
    const Plane<T> in = source.plane(blockIdx.z);
    const auto weight = [side = window.width()](int j, int i) { return constantFilter[j * side + i]; };
    const int column = (blockIdx.x * kLanes + threadIdx.x) * StreamedPolicy::kColumns;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    const int last = first + rows < out.height ? first + rows : out.height;
    for (int y = first; y < last; y += kSlide) {
        for (int x = column; x < column + StreamedPolicy::kColumns && x < out.width; x += kQuad) {
            float sum[kSlide][kQuad] = {};
            slideAnywhere(in, window, weight, x, y, sum);
            for (int n = 0; n < kSlide && y + n < last; ++n) out.storeFour(blockIdx.z, x, y + n, sum[n]);
        }
    }
}

inline Footprint streamedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes,
            .blockHeight = h,
            .tileWidth = kLanes * StreamedPolicy::kColumns,
            .tileHeight = h * t.at("rows_per_thread"),
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

inline void launchStreamed(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    constexpr int kColumns = StreamedPolicy::kColumns;
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            dim3 grid(ceilDiv(a.width, kLanes * kColumns), ceilDiv(a.height, static_cast<int>(block.y) * rows), layers);
            if constexpr (R > 0) {
                if (servesPlainly<T, R, kColumns>(a)) {
                    const auto frame = addFrame<R, kColumns, kQuad>(a, grid, kLanes * block.y);
                    return launch(c, &streamed<T, R>, grid, block, 0, in, out, frame, rows);
                }
            }
            launch(c, &streamed_anywhere<T>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight}, out, rows);
        });
    });
}

/// 8192 x 8192 on an H200, 2026-11-21 and 22, ms, 256 blocks and 512: f32 radius 4 0.224 0.239, 7 0.614 0.674; u8
/// radius 2 0.153 0.107.
inline int streamedFewestBlocks(io::PixelType input) { return input == io::PixelType::f32 ? 256 : 512; }

KernelEntry streamed_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchStreamed,
            .footprint = &streamedFootprint,
            .fewestBlocks = &streamedFewestBlocks};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
