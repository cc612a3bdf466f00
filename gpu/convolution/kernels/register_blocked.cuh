// SPDX-License-Identifier: Apache-2.0
// Idea: a thread takes a block of 4 x N outputs and all it needs into registers, by loads of four values.
// Changed from register_tiled: no shared memory, no barrier: neighbours' loads of the same values meet in the cache.
// Needs: an odd filter up to 63 x 63; rows that are no multiple of 4 values, and other extents than 3, 5, 7, 9, slide.
// Block: 32 x block_height threads, N = 4 or 8 rows a thread, no shared memory.
// Source: Volkov, Better performance at lower occupancy, GTC 2010, carried on to the loads; re-derived.
// Look at: the two loops: first every load, then every multiplication, nothing between them to wait for.
#pragma once

#include "gpu/convolution/constant_filter.cuh"
#include "gpu/convolution/row_window.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Rows a thread. 8192 x 8192 f32 on an H200, 2026-11-21, ms: radius 1: 4 0.1335, 8 0.1352; radius 2: 4 0.143, 8 0.1385;
/// radius 3: 4 0.190, 8 0.180; radius 4: 4 0.273, 8 0.280; radius 7: 4 0.944, 8 1.88: registers spill, so it slides.
constexpr int blockedRows(int filterWidth, int filterHeight) {
    return filterWidth == filterHeight && (filterWidth == 5 || filterWidth == 7) ? 8 : 4;
}

template <class T, int R, int N>
__global__ void __launch_bounds__(256) register_blocked(Source<T> source, Window<R> window, Target out, bool aligned) {
    const Plane<T> in = source.plane(blockIdx.z);
    const int x = (blockIdx.x * kLanes + threadIdx.x) * kQuad;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * N;
    if (!out.contains(x, y)) return;

    float sum[N][kQuad] = {};
    if (R > 0 && rowsServe<R, kQuad>(in, blockIdx.x * kLanes * kQuad, aligned)) {
        if constexpr (R > 0) {
            RowWindow<R, kQuad> rows[N + 2 * R];
#pragma unroll
            for (int j = 0; j < N + 2 * R; ++j) rows[j] = loadRow<R, kQuad>(in, x, y - R + j);
#pragma unroll
            for (int j = 0; j < N + 2 * R; ++j) {
#pragma unroll
                for (int n = 0; n < N; ++n) {
                    if (j < n || j > n + 2 * R) continue;
#pragma unroll
                    for (int i = 0; i < 2 * R + 1; ++i) {
                        const float weight = constantFilter[(j - n) * (2 * R + 1) + i];
#pragma unroll
                        for (int c = 0; c < kQuad; ++c) sum[n][c] = fmaf(weight, rows[j][c + i], sum[n][c]);
                    }
                }
            }
        }
    } else {
        slideAnywhere(in, window, x, y, sum);
    }

#pragma unroll
    for (int n = 0; n < N; ++n) out.storeFour(blockIdx.z, x, y + n, sum[n], aligned);
}

inline Footprint registerBlockedFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int h = t.at("block_height");
    return {.blockWidth = kLanes, .blockHeight = h, .tileWidth = kLanes * kQuad, .tileHeight = h * blockedRows(filterWidth, filterHeight),
            .haloX = filterWidth / 2, .haloY = filterHeight / 2, .haloThroughCache = true};
}

template <class T, int R, int N>
void launchRegisterBlockedBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const dim3 block(kLanes, t.at("block_height"));
    const Window<R> window{a.filterWidth, a.filterHeight};
    forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
        const dim3 grid(ceilDiv(a.width, kLanes * kQuad), ceilDiv(a.height, block.y * N), layers);
        launch(c, &register_blocked<T, R, N>, grid, block, 0, in, window, out, rowsAligned(a));
    });
}

inline void launchRegisterBlocked(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        if constexpr (R >= 1 && R <= 4) {
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
