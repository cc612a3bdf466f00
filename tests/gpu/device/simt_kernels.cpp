// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong on purpose, and kernels for the parts of CUDA that the program's own do not use yet.
#include "tests/gpu/device/simt_kernels.hpp"

#include "gpu/device/simt/kernel_environment.hpp"
#include "gpu/kernels/shared.cuh"
#include "gpu/kernels/tensor_cores.cuh"

namespace warplens::gpu::testing {

namespace {

__global__ void emptyKernel(int* out) {
    if (out == nullptr) return;
    atomicAdd(out, 1);
}

__global__ void returnsBeforeBarrier(int* out) {
    if (threadIdx.x == 5) return;
    __syncthreads();  // the divergent barrier
    out[threadIdx.x] = 1;
}

__global__ void twoBarriers(int* out) {
    if (threadIdx.x % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = 1;
}

__global__ void shuffleAgainstBarrier(int* out) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(0xffffffffU, 1, 0);
    else
        __syncthreads();
}

/// Reverses a block through shared memory; without the barrier a thread may read what is not there yet.
__global__ void reverse(int* out, bool barrier) {
    dynamicShared[threadIdx.x] = static_cast<float>(threadIdx.x);
    if (barrier) __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(dynamicShared[blockDim.x - 1 - threadIdx.x]);
}

__global__ void warpSum(int* out) {
    int value = static_cast<int>(threadIdx.x);
    for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffU, value, static_cast<unsigned>(step));
    if (threadIdx.x % 32 == 0) out[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = value;
}

__constant__ int constants[4];

__global__ void sumOfConstants(int* out) {
    out[blockIdx.x] = constants[0] + constants[1] + constants[2] + constants[3];
}

__global__ void votes(int* out) {
    const bool odd = threadIdx.x % 2 != 0;
    const unsigned ballot = __ballot_sync(0xffffffffU, odd);
    const int all = __all_sync(0xffffffffU, ballot == 0xaaaaaaaaU);
    __syncwarp();
    out[threadIdx.x] = all && __any_sync(0xffffffffU, threadIdx.x == 31)
                           ? __shfl_xor_sync(0xffffffffU, static_cast<int>(threadIdx.x), 1)
                           : -1;
}

/// Two formats of 16 bits, as tensor cores have them.
struct Bf16 {
    static unsigned pair(float low, float high) { return toBf16Pair(low, high); }
    static constexpr auto kMultiplyAdd = [](auto&... arguments) { multiplyAddBf16(arguments...); };
};
struct F16 {
    static unsigned pair(float low, float high) { return toF16Pair(low, high); }
    static constexpr auto kMultiplyAdd = [](auto&... arguments) { multiplyAddF16(arguments...); };
};

template <class Format>
__global__ void matrixProduct(const float* a, const float* b, const float* c, float* out) {
    const int g = static_cast<int>(threadIdx.x) / 4, t = static_cast<int>(threadIdx.x) % 4;
    const auto left = [a](int row, int k) { return Format::pair(a[row * 16 + k], a[row * 16 + k + 1]); };
    const auto right = [b](int k, int column) { return Format::pair(b[k * 8 + column], b[(k + 1) * 8 + column]); };
    const unsigned rows[4] = {left(g, 2 * t), left(g + 8, 2 * t), left(g, 2 * t + 8), left(g + 8, 2 * t + 8)};
    const unsigned columns[2] = {right(2 * t, g), right(2 * t + 8, g)};
    const auto at = [g, t](int i) { return (g + i / 2 * 8) * 8 + 2 * t + i % 2; };
    const float sum[4] = {c[at(0)], c[at(1)], c[at(2)], c[at(3)]};
    float d[4];
    Format::kMultiplyAdd(d, rows, columns, sum);
    for (int i = 0; i < 4; ++i) out[at(i)] = d[i];
}

__global__ void coordinates(unsigned* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] += block * 1000 + thread;
}

}  // namespace

void launchEmpty(LaunchContext& c, int blocks, int threads, int* counter) {
    launch(c, &emptyKernel, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), 0, counter);
}
void launchReturnsBeforeBarrier(LaunchContext& c, int* out) {
    launch(c, &returnsBeforeBarrier, dim3(1), dim3(64), 0, out);
}
void launchTwoBarriers(LaunchContext& c, int* out) { launch(c, &twoBarriers, dim3(1), dim3(64), 0, out); }
void launchShuffleAgainstBarrier(LaunchContext& c, int* out) {
    launch(c, &shuffleAgainstBarrier, dim3(1), dim3(32), 0, out);
}
void launchReverse(LaunchContext& c, int* out, bool barrier) {
    launch(c, &reverse, dim3(8), dim3(256), 256 * sizeof(float), out, barrier);
}
void launchWarpSum(LaunchContext& c, int* out) { launch(c, &warpSum, dim3(4), dim3(64), 0, out); }
void writeConstants(LaunchContext& c, const int* values, int count) {
    setConstant(c, constants, "constants", values, static_cast<std::size_t>(count));
}
void launchSumOfConstants(LaunchContext& c, int blocks, int* out) {
    launch(c, &sumOfConstants, dim3(static_cast<unsigned>(blocks)), dim3(1), 0, out);
}
void launchVotes(LaunchContext& c, int* out) { launch(c, &votes, dim3(1), dim3(32), 0, out); }
void launchMatrixProduct(LaunchContext& c, bool f16, const float* a, const float* b, const float* sum, float* out) {
    launch(c, f16 ? &matrixProduct<F16> : &matrixProduct<Bf16>, dim3(1), dim3(32), 0, a, b, sum, out);
}
unsigned pairOfF16(float low, float high) { return toF16Pair(low, high); }
Two valuesOfF16(unsigned pair) {
    const float2 values = ofF16Pair(pair);
    return {values.x, values.y};
}
unsigned f16OfBytes(unsigned word, bool upper) { return bytesAsF16(word, upper); }
void launchCoordinates(LaunchContext& c, unsigned* out) {
    launch(c, &coordinates, dim3(3, 4, 5), dim3(7, 3, 2), 0, out);
}

}  // namespace warplens::gpu::testing
