// SPDX-License-Identifier: Apache-2.0
// Idea: a warp marches down the picture; a row that arrives is filtered along x at once and added to its column sums.
// Changed from separable_fused: no shared memory, no barrier: one pass over memory with 2 (2r + 1) multiplications a
// value.
// Needs: a separable filter (rank-1 residual at most 2 ulp); beyond 31, and where nobody compiled for the extent,
// blocks go row by row.
// Block: 32 x block_height threads, 4 columns and rows_per_thread rows each, no shared memory. In three dimensions
// cubes up to 15: 256 threads march through the slices, 64 x 32 or 16 outputs of each, filtered in shared memory.
// Source: Podlozhnyuk, Image convolution with CUDA, NVIDIA 2007, as a register pipeline; ours.
// Look at: one row filter, then 2r + 1 sums that take their share of it.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/frame.cuh"
#include "gpu/families/convolution/volume_march.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows under way ahead of their use, and rows per turn of the loop; more would cost the largest filters registers
/// (measurements.md).
__host__ __device__ constexpr int rowsAhead(int radiusX, int radiusY) { return radiusX >= 7 || radiusY >= 7 ? 2 : 3; }
constexpr int kSlideRows = 8;

/// RX, RY: the filter's radius across and down. Out: what is stored.
template <class T, int RX, int RY, class Out = T>
__global__ void __launch_bounds__(256)
    separable_streamed(Source<T, true> source, TargetOf<true> out, Frame frame, int rows) {
    constexpr int kAhead = rowsAhead(RX, RY), kWide = 2 * RX + 1, kHigh = 2 * RY + 1;
    if (frame.isBlock()) {
        // Along one axis after the other, as below: a pixel's bits do not tell who made it.
        return sumFrame<RX, RY, kQuad>(source, out, frame,
                                       [](int j, const float(&values)[kQuad + 2 * RX], float(&sum)[kQuad]) {
                                           float filtered[kQuad] = {};
#pragma unroll
                                           for (int i = 0; i < kWide; ++i) {
#pragma unroll
                                               for (int c = 0; c < kQuad; ++c)
                                                   filtered[c] = fmaf(constantRow[i], values[c + i], filtered[c]);
                                           }
#pragma unroll
                                           for (int c = 0; c < kQuad; ++c)
                                               sum[c] = fmaf(constantColumn[j], filtered[c], sum[c]);
                                       });
    }
    using Row = RowWindow<T, RX, kQuad>;
    const Plane<T, true> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int begin = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * rows;
    const int first = frame.firstRow(begin), last = frame.lastRow(begin + rows);
    const bool inner = frame.inner<kQuad>(x);

    constexpr bool kFirst = offsetFirst<T>(kWide, kHigh);
    const float fresh = kFirst ? out.offset : 0.0F;
    float sum[kHigh][kQuad] = {};  // sum k is of row y - RY + k
    Row ahead[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) ahead[a] = Row::load(in, x, first - RY + a);
#pragma unroll 1
    for (int turn = first - RY; turn < last + RY; turn += kAhead) {
#pragma unroll
        for (int u = 0; u < kAhead; ++u) {
            const int y = turn + u;
            const auto row = ahead[u];
            ahead[u] = Row::load(in, x, y + kAhead);
            float filtered[kQuad] = {};
#pragma unroll
            for (int i = 0; i < kWide; ++i) {
#pragma unroll
                for (int c = 0; c < kQuad; ++c) filtered[c] = fmaf(constantRow[i], row[c + i], filtered[c]);
            }
#pragma unroll
            for (int k = 0; k < kHigh; ++k) {
#pragma unroll
                for (int c = 0; c < kQuad; ++c) {
                    const float before = k + 1 < kHigh ? sum[k + 1 < kHigh ? k + 1 : k][c] : fresh;
                    sum[k][c] = fmaf(constantColumn[kHigh - 1 - k], filtered[c], before);
                }
            }
            out.template streamFourIf<Out, kFirst>(y - RY >= first && y - RY < last && inner, blockIdx.z, x, y - RY,
                                                   sum[0]);
        }
    }
}

/// 4 x N outputs from (x, y) on, for a filter of any extent and any border.
template <int N, class T, bool Padded>
__device__ void slideSeparable(const Plane<T, Padded>& in, Window<0> window, int x, int y, float (&sum)[N][kQuad]) {
    withSurroundings<N>(in, window, x, y, kQuad, [&](const auto& rows) {
#pragma unroll 1
        for (int j = 0; j < N - 1 + window.height(); ++j) {
            const auto at = rows(y - window.radiusY() + j);
            const int left = x - window.radiusX();
            float v[kQuad] = {0, at(left), at(left + 1), at(left + 2)};
            float filtered[kQuad] = {};
#pragma unroll 1
            for (int i = 0; i < window.width(); ++i) {
                v[0] = v[1];
                v[1] = v[2];
                v[2] = v[3];
                v[3] = at(left + i + kQuad - 1);
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
    });
}

/// Filters and rows of any extent.
template <class T>
__global__ void __launch_bounds__(256)
    separable_streamed_anywhere(Source<T, true> source, Window<0> window, TargetOf<true> out, int rows) {
    const Plane<T, true> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows;
    const int last = first + rows < out.height ? first + rows : out.height;
    if (x >= out.width) return;
    const bool offset = offsetFirst<T>(window.width(), window.height());
    for (int y = first; y < last; y += kSlideRows) {
        float sum[kSlideRows][kQuad];
        beginSums(sum, offset ? out.offset : 0.0F);
        slideSeparable(in, window, x, y, sum);
        for (int n = 0; n < kSlideRows && y + n < last; ++n) out.ofSums(offset).storeFour(blockIdx.z, x, y + n, sum[n]);
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
    const int radiusX = a.filterWidth / 2, radiusY = a.filterHeight / 2;
    dispatch<true>(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block(kLanes, t.at("block_height"));
        const int rows = t.at("rows_per_thread");
        forLayers<T, true>(c, a, [&](const Source<T, true>& in, const TargetOf<true>& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, static_cast<int>(block.y) * rows),
                            layers);
            if (servesPlainly<T>(a, radiusX, kQuad)) {
                dim3 framed = grid;
                const auto frame = addFrame(a, radiusX, radiusY, kQuad, kQuad, framed, kLanes * block.y);
                using Kernel = void(Source<T, true>, TargetOf<true>, Frame, int);
                if constexpr (R > 0)
                    return dispatchOutput<T>(a, [&]<class Out>(Out) {
                        launch(c, &separable_streamed<T, R, R, Out>, framed, block, 0, in, out, frame, rows);
                    });
                else if (launchSpecial<Kernel>(c, specialOf<T>(a, "separable_streamed"), framed, block, 0, in, out,
                                               frame, rows))
                    return;
            }
            launch(c, &separable_streamed_anywhere<T>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight},
                   out, rows);
        });
    });
}

/// Rows of a block's tile in three dimensions: a thread filters one column of it, a quarter of its rows.
template <int R>
constexpr int kStreamedRows = R <= 2 ? 32 : 16;
constexpr int kStreamedRadius = 7;  ///< largest: beyond it the sums of a thread's outputs leave no room

/// The same in three dimensions: a slice is filtered along x and y through shared memory, and adds to the sums of the
/// 2R + 1 slices that it belongs to, which are registers.
template <int R>
__global__ void __launch_bounds__(kMarchThreads, R <= 4 ? 3 : 2)
    separable_streamed_volume(AnyVolume in, int first, int slices, int stretch, Target out) {
    constexpr int kRows = kStreamedRows<R>, kSide = 2 * R + 1, kEach = kRows * kMarchColumns / kMarchThreads;
    constexpr int kAhead = kEach < 4 ? kEach : 4;  // rows whose values come before their turn: all of 8 would spill
    using Plane = StagedPlane<R, kRows>;
    float* const tile = dynamicShared;
    float* const lines = dynamicShared + Plane::kValues;
    const int thread = threadIdx.x, column = thread % kMarchColumns, row = thread / kMarchColumns * kEach;
    const int left = blockIdx.x * kMarchColumns, top = blockIdx.y * kRows;
    const int begin = blockIdx.z * stretch, end = begin + stretch < slices ? begin + stretch : slices;
    Plane plane(in, left - R, top - R);
    plane.fetch(in, first + begin - R);
    float sum[kEach][2 * R] = {};
#pragma unroll 1
    for (int z = begin - R; z < end + R; ++z) {
        plane.put(tile, in.type);
        __syncthreads();  // the slice is staged
        if (z + 1 < end + R) plane.fetch(in, first + z + 1);
        for (int item = thread; item < Plane::kLines * kMarchColumns / 4; item += kMarchThreads) {
            constexpr int kPerLine = kMarchColumns / 4;
            float value[4 * kQuadsOf<4 + 2 * R>], four[4] = {};
            readQuads<4 + 2 * R>(value, tile + item / kPerLine * Plane::kPitch + item % kPerLine * 4);
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
#pragma unroll
                for (int k = 0; k < 4; ++k) four[k] = fmaf(constantRow[i], value[k + i], four[k]);
            }
            reinterpret_cast<float4*>(lines)[item] = float4{four[0], four[1], four[2], four[3]};
        }
        __syncthreads();  // its rows are filtered, and the tile is free
        float value[kEach + 2 * R];
        const auto take = [&](int j) { value[j] = lines[(row + j) * kMarchColumns + column]; };
#pragma unroll
        for (int j = 0; j < kAhead + 2 * R; ++j) take(j);
        const bool stores = z - R >= begin && left + column < out.width;
#pragma unroll
        for (int n = 0; n < kEach; ++n) {
            if (n + kAhead < kEach) take(n + kAhead + 2 * R);
            float filtered = 0;
#pragma unroll
            for (int j = 0; j < kSide; ++j) filtered = fmaf(constantColumn[j], value[n + j], filtered);
            const float whole = fmaf(constantStack[2 * R], filtered, sum[n][0]);
#pragma unroll
            for (int k = 0; k < 2 * R; ++k) {
                const float before = k + 1 < 2 * R ? sum[n][k + 1 < 2 * R ? k + 1 : k] : 0.0F;
                sum[n][k] = fmaf(constantStack[2 * R - 1 - k], filtered, before);
            }
            if (stores && top + row + n < out.height) storeOnce(out, z - R, left + column, top + row + n, whole);
        }
    }
}

inline int streamedRows(int radius) { return radius <= 2 ? kStreamedRows<1> : kStreamedRows<3>; }

inline std::size_t separableStreamedVolumeShared(const TunableValues&, const Box& filter) {
    std::size_t bytes = 0;
    withRadius<kStreamedRadius>(filter.width / 2, [&]<int R>(Radius<R>) {
        using Plane = StagedPlane<R, kStreamedRows<R>>;
        bytes = sizeof(float) * (Plane::kValues + Plane::kLines * kMarchColumns);
    });
    return bytes;
}

inline Footprint separableStreamedVolumeFootprint(const TunableValues&, const Box& filter) {
    return marchFootprint(streamedRows(filter.width / 2), filter);
}

inline const char* separableStreamedVolumeRefusal(const Arguments& a) {
    if (!isCube(a, kStreamedRadius)) return "takes cubes of 3 to 15 in three dimensions: choose separable_ring";
    return countsInInt(a) ? nullptr : "a slice holds 2^31 values or more: choose separable";
}

inline void launchSeparableStreamedVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto shared = separableStreamedVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
    withRadius<kStreamedRadius>(a.filterWidth / 2, [&]<int R>(Radius<R>) {
        forMarches(c, a, kStreamedRows<R>, t.at("rows_per_thread"),
                   [&](const AnyVolume& in, const Target& out, int first, int slices, int stretch, dim3 grid) {
                       launch(c, &separable_streamed_volume<R>, grid, dim3(kMarchThreads), shared, in, first, slices,
                              stretch, out);
                   });
    });
}

/// A multiprocessor holds so many of its small blocks that it is never idle before the last. Other rows than sixteens
/// take up to a fifth more of a large picture.
static March separableStreamedMarch(io::PixelType input, int, int filterHeight) {
    March march{.together = 1, .waiting = 0.5, .granule = 16, .halves = true, .lead = 0};
    const bool few = filterHeight <= 5, many = filterHeight > 9;
    if (input == io::PixelType::f32) {  // registers leave room for 6, 4 or 3 blocks
        march.tail = few ? 2 : many ? 1 : 1.5;
        march.atOnce = few ? 6 : many ? 3 : 4;
        march.tailAtOnce = 0.75;
        if (few) march.lead = 5 - filterHeight;
    } else {
        march.tail = 1;
        march.atOnce = 1;
        march.tailAtOnce = few ? 0.75 : 0.5;
        march.waiting = few ? 0 : 0.5;
        march.lead = few ? 0 : 4;
    }
    return march;
}

KernelEntry separable_streamed_entry() {
    return {.prepare = &prepareConstantFactors,
            .launch = &launchSeparableStreamed,
            .footprint = &separableStreamedFootprint,
            .march = &separableStreamedMarch,
            .paddedRows = [](const Arguments&) { return true; },
            .needsSeparable = true,
            .volume = {.launch = &launchSeparableStreamedVolume,
                       .footprint = &separableStreamedVolumeFootprint,
                       .sharedBytes = &separableStreamedVolumeShared,
                       .refusal = &separableStreamedVolumeRefusal}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
