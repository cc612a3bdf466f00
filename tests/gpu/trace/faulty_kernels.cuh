// SPDX-License-Identifier: Apache-2.0
// One planted defect each, for the trace's checks to find.
#pragma once

#include "gpu/kernels/publish.cuh"
#include "gpu/kernels/relaxed.cuh"
#include "gpu/kernels/shared.cuh"
#include "tests/gpu/trace/faulty_kernels.hpp"

namespace warplens::gpu::testing {
inline namespace WARPLENS_BUILD {

constexpr int kThreads = 64;

__device__ inline int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Reads what another thread wrote, without a barrier between.
__global__ void readsTooEarly(const float* in, float* out, bool wrong) {
    __shared__ float tile[kThreads];
    tile[threadIdx.x] = in[element()];
    if (!wrong) __syncthreads();
    out[element()] = tile[kThreads - 1 - threadIdx.x];
}

/// Overwrites what another thread still has to read.
__global__ void writesTooEarly(const float* in, float* out, bool wrong) {
    float* tile = dynamicShared;
    tile[threadIdx.x] = in[element()];
    __syncthreads();
    const float value = tile[kThreads - 1 - threadIdx.x];
    if (!wrong) __syncthreads();
    tile[threadIdx.x] = value;
    __syncthreads();
    out[element()] = tile[threadIdx.x];
}

/// Two threads write one place.
__global__ void writesTwice(const float* in, float* out, bool wrong) {
    __shared__ float tile[kThreads];
    tile[wrong ? threadIdx.x / 2 * 2 : threadIdx.x] = in[element()];
    __syncthreads();
    out[element()] = tile[threadIdx.x / 2 * 2];
}

/// An atomic among atomics is fine; a plain write among them is not.
__global__ void writesAmongAtomics(const float*, float* out, bool wrong) {
    __shared__ unsigned count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1U);
    if (wrong && threadIdx.x == 63) count = 64;
    __syncthreads();
    out[element()] = static_cast<float>(count);
}

/// A warp's own synchronisation orders its lanes.
__global__ void forgetsItsWarp(const float* in, float* out, bool wrong) {
    __shared__ float tile[kThreads];
    tile[threadIdx.x] = in[element()];
    if (!wrong) __syncwarp();
    out[element()] = tile[threadIdx.x ^ 1U];
}

__global__ void readsUnwritten(const float* in, float* out, bool wrong) {
    __shared__ float tile[kThreads];
    if (!wrong || threadIdx.x != 17) tile[threadIdx.x] = in[element()];
    __syncthreads();
    out[element()] = tile[threadIdx.x];
}

__global__ void passesSharedEnd(const float* in, float* out, bool wrong) {
    float* tile = dynamicShared;
    tile[threadIdx.x] = in[element()];
    __syncthreads();
    out[element()] = tile[wrong ? threadIdx.x + 1 : threadIdx.x];
}

__global__ void readsPastInput(const float* in, float* out, bool wrong) {
    out[element()] = in[element() + (wrong ? 1 : 0)];
}

__global__ void writesBeforeOutput(const float* in, float* out, bool wrong) {
    out[element() - (wrong ? 1 : 0)] = in[element()];
}

/// So far out that the access itself would fault.
__global__ void writesNowhere(const float* in, float* out, bool wrong) {
    float* target = wrong && element() == 5 ? reinterpret_cast<float*>(16) : out + element();
    *target = in[element()];
}

__global__ void leavesBeforeBarrier(const float* in, float* out, bool wrong) {
    if (wrong && threadIdx.x == 5) return;
    __syncthreads();
    out[element()] = in[element()];
}

__global__ void writesForNeighbour(const float* in, float* out, bool wrong) {
    out[element()] = in[element()];
    if (wrong && threadIdx.x == 0) out[(element() + kThreads) % (2 * kThreads)] = 0;
}

/// In place: the neighbouring block may have written already.
__global__ void readsNeighboursOutput(const float* in, float* out, bool wrong) {
    const float* source = wrong ? out : in;
    out[element()] = source[(element() + 1) % (2 * kThreads)];
}

/// The block that comes last reads what the other stored: its ticket alone does not bring that along.
__global__ void publishesWithoutFence(const float* in, float* out, bool wrong) {
    if (threadIdx.x != 0) return;
    out[blockIdx.x] = in[element()];
    if (!wrong) __threadfence();
    if (atomicAdd(reinterpret_cast<unsigned*>(out + 100), 1U) == 1) out[2] = out[0] + out[1];
}

/// What two blocks share: who came first, and whether it is done.
struct Turn {
    unsigned came, done;
};

struct IsDone {
    __device__ bool operator()(unsigned done) const { return done != 0; }
};

/// The flag says that the value is there when it is not yet.
__global__ void publishesTooEarly(const float* in, float* out, bool wrong) {
    if (threadIdx.x != 0) return;
    Turn* const turn = reinterpret_cast<Turn*>(out + 100);
    if (atomicAdd(&turn->came, 1U) == 1) {
        waitUntil(&turn->done, IsDone{});
        out[1] = out[0];
        return;
    }
    if (wrong) releaseStore(&turn->done, 1U);
    out[0] = in[0];
    if (!wrong) releaseStore(&turn->done, 1U);
}

/// Looks at the flag but does not wait for it.
__global__ void readsWithoutWaiting(const float* in, float* out, bool wrong) {
    if (threadIdx.x != 0) return;
    Turn* const turn = reinterpret_cast<Turn*>(out + 100);
    if (atomicAdd(&turn->came, 1U) == 0) {
        out[0] = in[0];
        releaseStore(&turn->done, 1U);
        return;
    }
    if (!wrong) waitUntil(&turn->done, IsDone{});
    out[1] = out[0];
}

/// A plain store of the flag brings nothing along, and may be seen in halves.
__global__ void storesFlagPlainly(const float* in, float* out, bool wrong) {
    if (threadIdx.x != 0) return;
    Turn* const turn = reinterpret_cast<Turn*>(out + 100);
    if (atomicAdd(&turn->came, 1U) == 1) {
        waitUntil(&turn->done, IsDone{});
        out[1] = out[0];
        return;
    }
    out[0] = in[0];
    if (wrong)
        turn->done = 1;
    else
        releaseStore(&turn->done, 1U);
}

/// Every block says that it was there: the same value, so that it does not matter who is first.
__global__ void saysWithoutAnnotation(const float*, float* out, bool wrong) {
    if (threadIdx.x != 0) return;
    if (wrong && blockIdx.x == 1)
        out[0] = 1;
    else
        relaxedStore(&out[0], 1.0F);
}

/// Looks at a word of shared memory while another thread raises it.
__global__ void looksWithoutAnnotation(const float* in, float* out, bool wrong) {
    __shared__ int word;
    if (threadIdx.x == 0) word = 0;
    __syncthreads();
    int seen = 0;
    if (threadIdx.x == 3) seen = wrong ? word : relaxedLoad(&word);
    if (threadIdx.x == 40) atomicMax(&word, 1);
    out[element()] = in[element()] + static_cast<float>(seen);
}

/// Both blocks wait, and none comes before them.
__global__ void waitsForever(const float* in, float* out, bool wrong) {
    Turn* const turn = reinterpret_cast<Turn*>(out + 100);
    if (wrong && threadIdx.x == 3) waitUntil(&turn->done, IsDone{});
    out[element()] = in[element()];
}

}  // namespace WARPLENS_BUILD

namespace {

template <void (*Kernel)(const float*, float*, bool)>
void start(LaunchContext& c, const float* in, float* out, bool wrong) {
    launch(c, Kernel, dim3(2), dim3(kThreads), kThreads * sizeof(float), in, out, wrong);
}

}  // namespace

const FaultyKernel kFaultyKernels[] = {
    {"readsTooEarly", "shared-race", "wrote at tests/gpu/trace/faulty_kernels.cuh:", &start<&readsTooEarly>},
    {"writesTooEarly", "shared-race", "read at tests/gpu/trace/faulty_kernels.cuh:", &start<&writesTooEarly>},
    {"writesTwice", "shared-race", "that thread (0, 0, 0) wrote", &start<&writesTwice>},
    {"writesAmongAtomics", "shared-race", "thread (63, 0, 0) writes 4 bytes", &start<&writesAmongAtomics>},
    {"forgetsItsWarp", "shared-race", "since the last barrier", &start<&forgetsItsWarp>},
    {"readsUnwritten", "uninitialised-shared", "thread (17, 0, 0)", &start<&readsUnwritten>},
    {"passesSharedEnd", "out-of-bounds", "thread (63, 0, 0) reads 4 bytes of shared memory", &start<&passesSharedEnd>},
    {"readsPastInput", "out-of-bounds", "block (1, 0, 0) thread (63, 0, 0) reads 4 bytes of global memory",
     &start<&readsPastInput>},
    {"writesBeforeOutput", "out-of-bounds", "block (0, 0, 0) thread (0, 0, 0) writes 4 bytes of global memory",
     &start<&writesBeforeOutput>},
    {"writesNowhere", "out-of-bounds", "block (0, 0, 0) thread (5, 0, 0) writes", &start<&writesNowhere>},
    {"leavesBeforeBarrier", "divergent-barrier", "thread (5, 0, 0) has returned", &start<&leavesBeforeBarrier>},
    {"writesForNeighbour", "global-race", "in the same launch", &start<&writesForNeighbour>},
    {"readsNeighboursOutput", "global-race", "in the same launch", &start<&readsNeighboursOutput>},
    {"publishesWithoutFence", "global-race", "in the same launch", &start<&publishesWithoutFence>},
    {"publishesTooEarly", "global-race", "in the same launch", &start<&publishesTooEarly>},
    {"readsWithoutWaiting", "global-race", "in the same launch", &start<&readsWithoutWaiting>},
    {"storesFlagPlainly", "global-race", "in the same launch", &start<&storesFlagPlainly>},
    {"saysWithoutAnnotation", "global-race", "in the same launch", &start<&saysWithoutAnnotation>},
    {"looksWithoutAnnotation", "shared-race", "since the last barrier", &start<&looksWithoutAnnotation>},
    {"waitsForever", "deadlock", "thread (3, 0, 0) waits at faulty_kernels.cuh:", &start<&waitsForever>},
};
const int kFaultyKernelCount = static_cast<int>(std::size(kFaultyKernels));

}  // namespace warplens::gpu::testing
