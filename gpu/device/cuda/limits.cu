// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/limits.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace warplens::gpu::cuda {
namespace {

constexpr int kThreads = 256;

__global__ void copyKernel(const float4* from, float4* to, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) to[i] = from[i];
}

// Adds up so that no load can be left out; the sum is stored only if it has a value that data of zeros never gives.
__global__ void readKernel(const float4* from, float* to, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    float4 sum{0, 0, 0, 0};
#pragma unroll 8
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
        const float4 v = from[i];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    if (sum.x + sum.y + sum.z + sum.w == 0.5F) *to = sum.x;
}

__global__ void writeKernel(float4* to, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride)
        to[i] = {1, 2, 3, 4};
}

constexpr int kChains = 8, kSteps = 4096;

// Eight independent chains hide the latency of a multiply-add.
__global__ void fmaKernel(float* to, float a, float b) {
    float v[kChains];
#pragma unroll
    for (int k = 0; k < kChains; ++k) v[k] = static_cast<float>(threadIdx.x + k);
#pragma unroll 16
    for (int i = 0; i < kSteps; ++i) {
#pragma unroll
        for (int k = 0; k < kChains; ++k) v[k] = fmaf(v[k], a, b);
    }
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kChains; ++k) sum += v[k];
    if (sum == 0.5F) *to = sum;
}

constexpr int kSharedValues = 2 * kThreads, kSharedLoads = 4096;

// Neighbouring threads load neighbouring 16 bytes, so that a pass serves all banks. `step` is known only at run time,
// lest the loads be left out; it keeps the threads of a warp in their order.
__global__ void sharedKernel(float* to, int step) {
    __shared__ float4 values[kSharedValues];
    for (int i = static_cast<int>(threadIdx.x); i < kSharedValues; i += kThreads) values[i] = {0, 0, 0, 0};
    __syncthreads();
    float4 sum{0, 0, 0, 0};
    int at = static_cast<int>(threadIdx.x);
#pragma unroll 16
    for (int i = 0; i < kSharedLoads; ++i) {
        const float4 v = values[at];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
        at = (at + step) & (kSharedValues - 1);
    }
    if (sum.x + sum.y + sum.z + sum.w == 0.5F) *to = sum.x;
}

struct Room {
    explicit Room(std::size_t bytes) {
        check(cudaMalloc(&data, bytes), "cudaMalloc", std::to_string(bytes) + " bytes");
    }
    ~Room() { cudaFree(data); }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    void* data = nullptr;
};

struct Events {
    Events() {
        WARPLENS_CUDA(cudaEventCreate(&begin));
        WARPLENS_CUDA(cudaEventCreate(&end));
    }
    ~Events() {
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    cudaEvent_t begin = nullptr, end = nullptr;
};

double medianMs(cudaStream_t stream, const std::function<void()>& work) {
    constexpr int kWarmUps = 3, kSamples = 20;
    const Events events;
    std::vector<float> ms;
    for (int i = 0; i < kWarmUps + kSamples; ++i) {
        WARPLENS_CUDA(cudaEventRecord(events.begin, stream));
        work();
        WARPLENS_CUDA(cudaGetLastError());
        WARPLENS_CUDA(cudaEventRecord(events.end, stream));
        WARPLENS_CUDA(cudaEventSynchronize(events.end));
        float elapsed = 0;
        WARPLENS_CUDA(cudaEventElapsedTime(&elapsed, events.begin, events.end));
        if (i >= kWarmUps) ms.push_back(elapsed);
    }
    std::sort(ms.begin(), ms.end());
    return ms[ms.size() / 2];
}

}  // namespace

Limits measureLimits(cudaStream_t stream, const DeviceInfo& device) {
    std::size_t free = 0, total = 0;
    WARPLENS_CUDA(cudaMemGetInfo(&free, &total));
    // Well past any L2, at most a sixth of what is free.
    const std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, free / 6) / 4096 * 4096;
    const Room from(bytes), to(bytes);
    WARPLENS_CUDA(cudaMemsetAsync(from.data, 0, bytes, stream));
    const std::size_t count = bytes / sizeof(float4);
    const auto* in = static_cast<const float4*>(from.data);
    auto* out = static_cast<float4*>(to.data);
    const auto all = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    const auto some = static_cast<unsigned>(device.multiprocessors * 8);

    const auto fastest = [&](std::initializer_list<std::function<void()>> ways) {
        double best = 1e300;
        for (const auto& way : ways) best = std::min(best, medianMs(stream, way));
        return best;
    };
    Limits limits;
    const double gigabytes = static_cast<double>(bytes) * 1e-6;  // over milliseconds
    limits.copyGbs = 2 * gigabytes /
                     fastest({[&] { cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice, stream); },
                              [&] { copyKernel<<<all, kThreads, 0, stream>>>(in, out, count); }});
    limits.readGbs =
        gigabytes /
        fastest({[&] { readKernel<<<some, kThreads, 0, stream>>>(in, static_cast<float*>(to.data), count); },
                 [&] { readKernel<<<some * 4, kThreads, 0, stream>>>(in, static_cast<float*>(to.data), count); }});
    limits.writeGbs = gigabytes / fastest({[&] { cudaMemsetAsync(to.data, 1, bytes, stream); },
                                           [&] { writeKernel<<<all, kThreads, 0, stream>>>(out, count); }});
    const double flops = 2.0 * kChains * kSteps * some * kThreads;
    limits.fmaTflops = flops * 1e-9 / medianMs(stream, [&] {
                           fmaKernel<<<some, kThreads, 0, stream>>>(static_cast<float*>(to.data), 0.5F, 1.0F);
                       });
    // As many blocks as are at work at once, so that none is left over at the end.
    int resident = 0;
    WARPLENS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sharedKernel, kThreads, 0));
    const auto atOnce = static_cast<unsigned>(device.multiprocessors * std::max(resident, 1));
    const double loaded = 1.0 * sizeof(float4) * kSharedLoads * atOnce * kThreads;
    limits.sharedGbs = loaded * 1e-6 / medianMs(stream, [&] {
                           sharedKernel<<<atOnce, kThreads, 0, stream>>>(static_cast<float*>(to.data), kThreads);
                       });
    return limits;
}

}  // namespace warplens::gpu::cuda
