// SPDX-License-Identifier: Apache-2.0
// Idea: a thread computes a block of 4 x N outputs in registers, and loads what they need four values at a time.
// Changed from register_tiled: no shared memory, no barrier: neighbours' loads of the same values meet in the cache.
// Needs: an odd filter up to 63 x 63; rows that are no multiple of 4 values, and other extents than 3, 5, 7, 9, 15, slide.
// Block: 32 x block_height threads, N = 4 or 8 rows a thread, no shared memory.
// Source: Volkov, Better performance at lower occupancy, GTC 2010, carried on to the loads; re-derived.
// Look at: the loop over rows: each is loaded once and added to every sum that it belongs to.
#pragma once

#include "gpu/convolution/constant_filter.cuh"
#include "gpu/convolution/frame.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows a thread. 8192 x 8192 f32 on an H200, 2026-11-21, ms: radius 1: 2 0.140, 4 0.139, 8 0.142; radius 2: 4 0.159, 8 0.152;
/// radius 3: 4 0.193, 8 0.178; radius 4: 4 0.248, 8 0.242. All loads before the first multiplication, which the registers allow,
/// was slower with 8 rows: 0.188 at radius 2, 0.265 at radius 3.
constexpr int blockedRows(int filterWidth, int filterHeight) {
    return filterWidth == filterHeight && filterWidth >= 5 && filterWidth <= 9 ? 8 : 4;
}

template <class T, int R, int N>
__global__ void __launch_bounds__(256) register_blocked(Source<T> source, Target out, Frame frame) {
    constexpr int kSide = 2 * R + 1;
    if (frame.isBlock()) {
        return writeFrame<R>(source, out, frame, [](int j, int i) { return constantFilter[j * kSide + i]; });
    }
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int y = static_cast<int>(frame.row() * blockDim.y + threadIdx.y) * N;

    float sum[N][kQuad] = {};
#pragma unroll
    for (int j = 0; j < N + 2 * R; ++j) {
        const auto row = RowWindow<T, R, kQuad>::load(in, x, y - R + j);
#pragma unroll
        for (int n = 0; n < N; ++n) {
            if (j < n || j > n + 2 * R) continue;
#pragma unroll
            for (int i = 0; i < kSide; ++i) {
                const float weight = constantFilter[(j - n) * kSide + i];
#pragma unroll
                for (int c = 0; c < kQuad; ++c) sum[n][c] = fmaf(weight, row[c + i], sum[n][c]);
            }
        }
    }
    if (!frame.inner<kQuad>(x)) return;
#pragma unroll
    for (int n = 0; n < N; ++n) {
        if (y + n >= frame.firstRow(y) && y + n < frame.lastRow(y + N)) out.streamFour<T>(blockIdx.z, x, y + n, sum[n]);
    }
}

/// Filters and rows of any extent.
template <class T, int N>
__global__ void __launch_bounds__(256) register_blocked_anywhere(Source<T> source, Window<0> window, Target out) {
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * N;
    if (!out.contains(x, y)) return;
    const auto weight = [side = window.width()](int j, int i) { return constantFilter[j * side + i]; };
    float sum[N][kQuad] = {};
    slideAnywhere(source.plane(blockIdx.z), window, weight, x, y, sum);
    for (int n = 0; n < N; ++n) out.storeFour(blockIdx.z, x, y + n, sum[n]);
}

inline Footprint registerBlockedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes, .blockHeight = h, .tileWidth = kLanes * kQuad, .tileHeight = h * blockedRows(filterWidth, filterHeight),
            .haloX = filterWidth / 2, .haloY = filterHeight / 2, .haloThroughCache = true};
}

template <class T, int R, int N>
void launchRegisterBlockedBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
        dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, block.y * N), layers);
        if constexpr (R > 0) {
            if (servesPlainly<T, R, kQuad>(a)) {
                const auto frame = addFrame<R, kQuad>(a, grid, kLanes * block.y);
                return launch(c, &register_blocked<T, R, N>, grid, block, 0, in, out, frame);
            }
        }
        launch(c, &register_blocked_anywhere<T, N>, grid, block, 0, in, Window<0>{a.filterWidth, a.filterHeight}, out);
    });
}

inline void launchRegisterBlocked(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch<true>(a, [&]<class T, int R>(Instance<T, R>) {
        if constexpr (R > 0) {
            launchRegisterBlockedBy<T, R, blockedRows(2 * R + 1, 2 * R + 1)>(c, a, t);
        } else {
            blockedRows(a.filterWidth, a.filterHeight) == 8 ? launchRegisterBlockedBy<T, 0, 8>(c, a, t)
                                                            : launchRegisterBlockedBy<T, 0, 4>(c, a, t);
        }
    });
}

KernelEntry register_blocked_entry() {
    return {.prepare = &prepareConstantFilter, .launch = &launchRegisterBlocked, .footprint = &registerBlockedFootprint};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
