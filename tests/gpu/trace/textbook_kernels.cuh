// SPDX-License-Identifier: Apache-2.0
// Kernels as textbooks write them, whose counts are known.
#pragma once

#include "gpu/kernels/tensor_cores.cuh"
#include "gpu/kernels/texture.cuh"
#include "tests/gpu/trace/textbook_kernels.hpp"

namespace warplens::gpu::testing {
inline namespace WARPLENS_BUILD {

__global__ void transposeNaive(const float* in, float* out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

template <int Padding>
__global__ void transposeTiled(const float* in, float* out, int n) {
    __shared__ float tile[32][32 + Padding];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void sumOfFours(const float4* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 v = in[i];
    float sum = v.x + v.y + v.z + v.w;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffU, sum, static_cast<unsigned>(step));
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

/// A 5x5 filter, zero border; the block is the output tile, and its halo is staged in strides along both axes.
template <int Tile>
__global__ void tiledOutput(const float* in, const float* filter, float* out, int n) {
    __shared__ float tile[Tile + 4][Tile + 4];
    for (int j = threadIdx.y; j < Tile + 4; j += Tile) {
        for (int i = threadIdx.x; i < Tile + 4; i += Tile) {
            const int x = static_cast<int>(blockIdx.x) * Tile + i - 2;
            const int y = static_cast<int>(blockIdx.y) * Tile + j - 2;
            float value = 0;
            if (x >= 0 && x < n && y >= 0 && y < n) value = in[y * n + x];
            tile[j][i] = value;
        }
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 5; ++j) {
        for (int i = 0; i < 5; ++i) sum += filter[j * 5 + i] * tile[threadIdx.y + j][threadIdx.x + i];
    }
    out[(blockIdx.y * Tile + threadIdx.y) * n + blockIdx.x * Tile + threadIdx.x] = sum;
}

/// The 7-point stencil on a cube; faces are left alone.
__global__ void sevenPoints(const float* in, float* out, int n, float c0, float c1) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    const int i = (z * n + y) * n + x;
    out[i] = c0 * in[i] + c1 * in[i - 1] + c1 * in[i + 1] + c1 * in[i - n] + c1 * in[i + n] + c1 * in[i - n * n] +
             c1 * in[i + n * n];
}

/// In round k the lanes whose bit k is set sit out: each round is one request of 16 lanes, whatever each lane has done
/// before.
__global__ void skippingLanes(const float* in, float* out) {
    float sum = 0;
    for (int k = 0; k < 5; ++k) {
        if (threadIdx.x >> k & 1U) continue;
        sum += in[k * 32 + threadIdx.x];
    }
    out[threadIdx.x] = sum;
}

/// Lanes loop as often as their number says and meet again for the store.
__global__ void unevenLoops(const float* in, float* out) {
    float sum = 0;
    for (unsigned k = 0; k <= threadIdx.x; ++k) sum += in[k];
    out[threadIdx.x] = sum;
}

/// A branch on which each warp parts, one on which warps part from each other, one that nobody takes, and a loop of 0
/// to 3 rounds.
__global__ void branching(float* out, int never) {
    float& own = out[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x % 2 == 1) own += 1;
    if (threadIdx.x / 32 == 1) own += 2;
    if (never > 0) own += 3;
    for (unsigned k = 0; k < threadIdx.x % 4; ++k) own += 4;
}

/// Each warp makes five products of matrices.
__global__ void products(const float* in, float* out) {
    float d[4] = {};
    const unsigned a[4] = {}, b[2] = {};
    for (int i = 0; i < 5; ++i) multiplyAddBf16(d, a, b, d);
    out[blockIdx.x * blockDim.x + threadIdx.x] = d[0] + in[threadIdx.x];
}

/// Lanes meet so many times between what one writes and another reads.
__global__ void warpBarriers(float* out, int times) {
    __shared__ float cells[32];
    cells[threadIdx.x] = static_cast<float>(threadIdx.x);
    for (int i = 0; i < times; ++i) __syncwarp();
    out[threadIdx.x] = cells[threadIdx.x ^ 1U];
}

/// All threads of a warp on `addresses` shared counters.
__global__ void counting(unsigned* out, unsigned addresses) {
    __shared__ unsigned cells[32];
    if (threadIdx.x < 32) cells[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&cells[threadIdx.x % addresses], 1U);
    __syncthreads();
    if (threadIdx.x < addresses) atomicAdd(&out[threadIdx.x], cells[threadIdx.x]);
}

/// Values through a texture, which is read by quarters of a warp.
__global__ void fetching(Texels<float> in, float* out, int first, int lanes) {
    if (static_cast<int>(threadIdx.x) >= lanes) return;
    const int i = blockIdx.x * 32 + threadIdx.x;
    out[i] = in[first + i];
}

/// Every value is squared and added where all others are: an operation by the thread, one by the atomic.
__global__ void adding(const float* in, float* out) {
    const float value = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicAdd(out, value * value);
}

}  // namespace WARPLENS_BUILD

void launchTransposeNaive(LaunchContext& c, const float* in, float* out, int n) {
    launch(c, &transposeNaive, dim3(n / 32, n / 32), dim3(32, 32), 0, in, out, n);
}
void launchTransposeTiled(LaunchContext& c, const float* in, float* out, int n, bool padded) {
    launch(c, padded ? &transposeTiled<1> : &transposeTiled<0>, dim3(n / 32, n / 32), dim3(32, 32), 0, in, out, n);
}
void launchSumOfFours(LaunchContext& c, const float* in, float* out, int count) {
    launch(c, &sumOfFours, dim3(count / 1024), dim3(256), 0, reinterpret_cast<const float4*>(in), out);
}
void launchTiledOutput(LaunchContext& c, const float* in, const float* filter, float* out, int n, int tile) {
    const dim3 grid(n / tile, n / tile), block(tile, tile);
    launch(c, tile == 32 ? &tiledOutput<32> : &tiledOutput<16>, grid, block, 0, in, filter, out, n);
}
void launchSevenPoints(LaunchContext& c, const float* in, float* out, int n) {
    launch(c, &sevenPoints, dim3(n / 32, n / 4, n / 4), dim3(32, 4, 4), 0, in, out, n, 0.4F, 0.1F);
}
void launchSkippingLanes(LaunchContext& c, const float* in, float* out) {
    launch(c, &skippingLanes, dim3(1), dim3(32), 0, in, out);
}
void launchUnevenLoops(LaunchContext& c, const float* in, float* out) {
    launch(c, &unevenLoops, dim3(1), dim3(32), 0, in, out);
}
void launchBranching(LaunchContext& c, float* out) { launch(c, &branching, dim3(3), dim3(64), 0, out, 0); }
void launchProducts(LaunchContext& c, const float* in, float* out) {
    launch(c, &products, dim3(3), dim3(64), 0, in, out);
}
void launchWarpBarriers(LaunchContext& c, float* out, int times) {
    launch(c, &warpBarriers, dim3(1), dim3(32), 0, out, times);
}
void launchCounting(LaunchContext& c, unsigned* out, unsigned addresses) {
    launch(c, &counting, dim3(3), dim3(128), 0, out, addresses);
}

void launchFetching(LaunchContext& c, const float* in, float* out, int first, int lanes) {
    launch(c, &fetching, dim3(3), dim3(32), 0, texelsOf(in, 128), out, first, lanes);
}
void launchAdding(LaunchContext& c, const float* in, float* out) { launch(c, &adding, dim3(3), dim3(64), 0, in, out); }

}  // namespace warplens::gpu::testing
