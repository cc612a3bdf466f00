// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes a block of 4 x N outputs in registers (bytes: 8 x 4), and loads what they need four values at
// a time. Changed from register_tiled: no shared memory, no barrier: neighbours' loads of the same values meet in the
// cache. Needs: an odd filter up to 63 x 63; rows that are no multiple of 4 values, and other extents than 3, 5, 7, 9,
// 15, slide. Block: 32 x block_height threads, 4 columns and N = 4 or 8 rows per thread, 8 x 4 of bytes up to radius 3,
// no shared memory. Source: Volkov, Better performance at lower occupancy, GTC 2010, carried on to the loads;
// re-derived. Look at: the loop over rows: each is loaded once and added to every sum that it belongs to.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows a thread. 8192 x 8192 f32 on an H200, 2026-11-21, ms: radius 1: 2 0.140, 4 0.139, 8 0.142; radius 2: 4 0.159, 8
/// 0.152; radius 3: 4 0.193, 8 0.178; radius 4: 4 0.248, 8 0.242. All loads before the first multiplication, which the
/// registers allow, was slower with 8 rows: 0.188 at radius 2, 0.265 at radius 3.
constexpr int blockedRows(int filterWidth, int filterHeight) {
    return filterWidth == filterHeight && filterWidth >= 5 && filterWidth <= 9 ? 8 : 4;
}

/// Columns and rows a thread. Bytes are few to load but must become floats: 8 x 4 needs a quarter fewer of both than 4
/// x 8. A prototype at radius 2, 8192 x 8192 u8 on an H200, 2026-11-21, ms without the frame: 4 x 8 0.109, 8 x 4 0.098,
/// 8 x 8 0.099, 4 x 16 0.197; radius 1 with other roundings: 4 x 8 0.066, 8 x 4 0.059.
template <class T, int R>
struct Blocking {
    static constexpr bool kWide = sizeof(T) == 1 && R > 0 && R <= 3;
    static constexpr int kColumns = kWide ? 8 : kQuad;
    static constexpr int kRows = kWide ? 4 : blockedRows(2 * R + 1, 2 * R + 1);
};

template <class T, int R, int C, int N>
__global__ void __launch_bounds__(256) register_blocked(Source<T> source, Target out, Frame frame) {
    constexpr int kSide = 2 * R + 1;
    if (frame.isBlock()) {
        return writeFrame<R, 1>(source, out, frame, [](int j, int i) { return constantFilter[j * kSide + i]; });
    }
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * C;
    const int y = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * N;

    float sum[N][C] = {};
#pragma unroll
    for (int j = 0; j < N + 2 * R; ++j) {
        const auto row = RowWindow<T, R, C>::load(in, x, y - R + j);
        float value[C + 2 * R];  // a stored integer becomes a float once
#pragma unroll
        for (int i = 0; i < C + 2 * R; ++i) value[i] = row[i];
#pragma unroll
        for (int n = 0; n < N; ++n) {
            if (j < n || j > n + 2 * R) continue;
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
                const float weight = constantFilter[(j - n) * kSide + i];
#pragma unroll
                for (int c = 0; c < C; ++c) sum[n][c] = fmaf(weight, value[c + i], sum[n][c]);
            }
        }
    }
    if (!frame.inner<C>(x)) return;
#pragma unroll
    for (int n = 0; n < N; ++n) {
        if (y + n < frame.firstRow(y) || y + n >= frame.lastRow(y + N)) continue;
#pragma unroll
        for (int q = 0; q < C / kQuad; ++q) {
            const float four[kQuad] = {sum[n][kQuad * q], sum[n][kQuad * q + 1], sum[n][kQuad * q + 2],
                                       sum[n][kQuad * q + 3]};
            out.streamFour<T>(blockIdx.z, x + kQuad * q, y + n, four);
        }
    }
}

/// Filters and rows of any extent.
template <class T, int C, int N>
__global__ void __launch_bounds__(256) register_blocked_anywhere(Source<T> source, Window<0> window, Target out) {
    const int first = (blockIdx.x * kLanes + threadIdx.x) * C;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * N;
    const auto weight = [side = window.width()](int j, int i) { return constantFilter[j * side + i]; };
#pragma unroll 1
    for (int x = first; x < first + C && out.contains(x, y); x += kQuad) {
        float sum[N][kQuad] = {};
        slideAnywhere(source.plane(blockIdx.z), window, weight, x, y, sum);
        for (int n = 0; n < N; ++n) out.storeFour(blockIdx.z, x, y + n, sum[n]);
    }
}

inline Footprint registerBlockedFootprint(const Arguments& a, const TunableValues& t) {
    const int h = t.at("block_height"), filterWidth = a.filterWidth, filterHeight = a.filterHeight;
    const bool wide =
        a.inputType == io::PixelType::u8 && filterWidth == filterHeight && filterWidth >= 3 && filterWidth <= 7;
    return {.blockWidth = kLanes,
            .blockHeight = h,
            .tileWidth = kLanes * (wide ? 2 * kQuad : kQuad),
            .tileHeight = h * (wide ? 4 : blockedRows(filterWidth, filterHeight)),
            .haloX = filterWidth / 2,
            .haloY = filterHeight / 2,
            .haloThroughCache = true};
}

template <class T, int R, int C, int N>
void launchRegisterBlockedBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
        dim3 grid(ceilDiv(a.width, kLanes * C), ceilDiv(a.height, block.y * N), layers);
        if constexpr (R > 0) {
            if (servesPlainly<T, R, C>(a)) {
                const auto frame = addFrame<R, C, 1>(a, grid, kLanes * block.y);
                return launch(c, &register_blocked<T, R, C, N>, grid, block, 0, in, out, frame);
            }
        }
        launch(c, &register_blocked_anywhere<T, C, N>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight},
               out);
    });
}

inline void launchRegisterBlocked(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch<true>(a, [&]<class T, int R>(Instance<T, R>) {
        if constexpr (R > 0) {
            launchRegisterBlockedBy<T, R, Blocking<T, R>::kColumns, Blocking<T, R>::kRows>(c, a, t);
        } else {
            blockedRows(a.filterWidth, a.filterHeight) == 8 ? launchRegisterBlockedBy<T, 0, kQuad, 8>(c, a, t)
                                                            : launchRegisterBlockedBy<T, 0, kQuad, 4>(c, a, t);
        }
    });
}

KernelEntry register_blocked_entry() {
    return {
        .prepare = &prepareConstantFilter, .launch = &launchRegisterBlocked, .footprintOf = &registerBlockedFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
