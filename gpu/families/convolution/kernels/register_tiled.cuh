// SPDX-License-Identifier: Apache-2.0
// Idea: one thread computes several outputs of a column, so a value read from the tile serves several sums at once.
// Changed from tiled_output: a value and the running sums live in registers; fewer shared reads per output.
// Needs: an odd filter up to 63 x 63, or 11 x 11 x 11 in three dimensions; any picture, any border.
// Block: block_width x block_height threads, n = outputs_per_thread outputs each, 4 (w + 2rx)(h n + 2ry) bytes shared;
// in three dimensions the outputs lie behind each other, 4 (w + 2rx)(h + 2ry)(n + 2rz) bytes.
// Source: Volkov, Better performance at lower occupancy, GTC 2010; re-derived for convolution.
// Look at: the innermost loop: one value, N sums, and no load.
#pragma once

#include "gpu/families/convolution/constant_filter.cuh"
#include "gpu/families/convolution/volume.cuh"
#include "gpu/families/convolution/window_sum.cuh"
#include "gpu/kernels/shared.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

template <class T, int R, int N>
__global__ void register_tiled(Source<T> source, Window<R> window, Target out) {
    float* tile = dynamicShared;
    const int stagedWidth = blockDim.x + 2 * window.radiusX();
    const int stagedHeight = blockDim.y * N + 2 * window.radiusY();
    const int left = static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX();
    const int top = static_cast<int>(blockIdx.y * blockDim.y * N) - window.radiusY();

    stageTile(tile, source.plane(blockIdx.z), left, top, stagedWidth, stagedHeight);
    __syncthreads();  // the tile is complete

    const float* column = &tile[threadIdx.y * N * stagedWidth + threadIdx.x];
    float sum[N] = {};
#pragma unroll
    for (int i = 0; i < window.width(); ++i) {
#pragma unroll
        for (int row = 0; row < N - 1 + window.height(); ++row) {
            const float value = column[row * stagedWidth + i];
#pragma unroll
            for (int n = 0; n < N; ++n) {
                const int j = row - n;
                if (j >= 0 && j < window.height()) sum[n] += constantFilter[j * window.width() + i] * value;
            }
        }
    }

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = (blockIdx.y * blockDim.y + threadIdx.y) * N;
#pragma unroll
    for (int n = 0; n < N; ++n) {
        if (out.contains(x, y + n)) out.store(blockIdx.z, x, y + n, sum[n]);
    }
}

inline std::size_t registerTiledShared(const TunableValues& t, int filterWidth, int filterHeight) {
    return sizeof(float) * (t.at("block_width") + filterWidth - 1) *
           (t.at("block_height") * t.at("outputs_per_thread") + filterHeight - 1);
}

inline Footprint registerTiledFootprint(const TunableValues& t, int filterWidth, int filterHeight) {
    const int w = t.at("block_width"), h = t.at("block_height");
    const int rx = filterWidth / 2, ry = filterHeight / 2;
    return {.blockWidth = w,
            .blockHeight = h,
            .tileWidth = w,
            .tileHeight = h * t.at("outputs_per_thread"),
            .stagedLeft = rx,
            .stagedTop = ry,
            .stagedRight = rx,
            .stagedBottom = ry,
            .staged = true,
            .haloX = rx,
            .haloY = ry};
}

/// Multiplications that a compiler on the spot is given: about three seconds of its time.
constexpr int kMostUnrolled = 4000;

template <int N>
void launchRegisterTiledBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatch(a, [&]<class T, int R>(Instance<T, R>) {
        const dim3 block = blockOf(t);
        const Window<R> window{a.filterWidth, a.filterHeight};
        Special special = squareSpecial<T, R>(a, "register_tiled").with(N);
        if (a.filterWidth * a.filterHeight * N > kMostUnrolled)
            special.refusal = "unrolled, it would take too long to compile";
        const auto shared = registerTiledShared(t, a.filterWidth, a.filterHeight);
        forLayers<T>(c, a, [&](const Source<T>& in, const Target& out, unsigned layers) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y * N), layers);
            launch(c, special, &register_tiled<T, R, N>, grid, block, shared, in, window, out);
        });
    });
}

inline void launchRegisterTiled(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    t.at("outputs_per_thread") == 4 ? launchRegisterTiledBy<4>(c, a, t) : launchRegisterTiledBy<8>(c, a, t);
}

/// The same in three dimensions: the tile is a box and a thread's outputs lie behind each other, the input's slice
/// `first` being the output's first.
template <class T, int N>
__global__ void register_tiled_volume(Volume<T> in, Window3 window, int first, int slices, Target out) {
    float* tile = dynamicShared;
    const int stagedWidth = blockDim.x + window.width - 1, stagedHeight = blockDim.y + window.height - 1;
    const int stagedDepth = N + window.depth - 1, weightsPerSlice = window.width * window.height;
    const int z = static_cast<int>(blockIdx.z) * N;
    stageBox(tile, in, static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX(),
             static_cast<int>(blockIdx.y * blockDim.y) - window.radiusY(), first + z - window.radiusZ(), stagedWidth,
             stagedHeight, stagedDepth);
    __syncthreads();  // the tile is complete

    float sum[N] = {};
    for (int k = 0; k < stagedDepth; ++k) {
        for (int j = 0; j < window.height; ++j) {
            const float* row = &tile[(k * stagedHeight + threadIdx.y + j) * stagedWidth + threadIdx.x];
            for (int i = 0; i < window.width; ++i) {
                const float value = row[i];
                const float* weight = constantFilter + k * weightsPerSlice + j * window.width + i;
#pragma unroll
                for (int n = 0; n < N; ++n, weight -= weightsPerSlice) {
                    if (k >= n && k - n < window.depth) sum[n] += *weight * value;
                }
            }
        }
    }

    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (!out.contains(x, y)) return;
#pragma unroll
    for (int n = 0; n < N; ++n) {
        if (z + n < slices) out.store(z + n, x, y, sum[n]);
    }
}

inline std::size_t registerTiledVolumeShared(const TunableValues& t, const Box& filter) {
    return sizeof(float) * (t.at("block_width") + filter.width - 1) * (t.at("block_height") + filter.height - 1) *
           (t.at("outputs_per_thread") + filter.depth - 1);
}

inline Footprint registerTiledVolumeFootprint(const TunableValues& t, const Box& filter) {
    Footprint print = registerTiledFootprint(t, filter.width, filter.height);
    print.tileHeight = t.at("block_height");
    return print;
}

template <int N>
void launchRegisterTiledVolumeBy(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    dispatchVolume(a, [&]<class T>(T) {
        const dim3 block = blockOf(t);
        const Window3 window{a.filterWidth, a.filterHeight, a.filterDepth};
        const auto shared = registerTiledVolumeShared(t, {a.filterWidth, a.filterHeight, a.filterDepth});
        forVolumes<T>(c, a, N, [&](const Volume<T>& in, const Target& out, int first, int slices) {
            const dim3 grid(ceilDiv(a.width, block.x), ceilDiv(a.height, block.y), ceilDiv(slices, N));
            launch(c, &register_tiled_volume<T, N>, grid, block, shared, in, window, first, slices, out);
        });
    });
}

inline void launchRegisterTiledVolume(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    t.at("outputs_per_thread") == 4 ? launchRegisterTiledVolumeBy<4>(c, a, t) : launchRegisterTiledVolumeBy<8>(c, a, t);
}

KernelEntry register_tiled_entry() {
    return {.prepare = &prepareConstantFilter,
            .launch = &launchRegisterTiled,
            .footprint = &registerTiledFootprint,
            .sharedBytes = &registerTiledShared,
            .volume = {.launch = &launchRegisterTiledVolume,
                       .footprint = &registerTiledVolumeFootprint,
                       .sharedBytes = &registerTiledVolumeShared}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
