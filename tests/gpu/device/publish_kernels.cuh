// SPDX-License-Identifier: Apache-2.0
// Blocks that wait for others, as textbooks write them; and such as must not be written.
#pragma once

#include "gpu/kernels/publish.cuh"
#include "gpu/kernels/relaxed.cuh"
#include "tests/gpu/device/publish_kernels.hpp"

namespace warplens::gpu::testing {
inline namespace WARPLENS_BUILD {

constexpr unsigned kScanThreads = 64;

struct IsSet {
    __device__ bool operator()(unsigned flag) const { return flag != 0; }
};

/// The block's place in the order in which blocks began.
__device__ inline unsigned ticketOfBlock(unsigned* counter) {
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(counter, 1U);
    __syncthreads();
    return ticket;
}

/// The sum of the block's values up to this thread's.
__device__ inline unsigned scanOfBlock(unsigned mine) {
    __shared__ unsigned cells[kScanThreads];
    cells[threadIdx.x] = mine;
    for (unsigned apart = 1; apart < kScanThreads; apart *= 2) {
        __syncthreads();
        const unsigned before = threadIdx.x >= apart ? cells[threadIdx.x - apart] : 0;
        __syncthreads();
        cells[threadIdx.x] += before;
    }
    __syncthreads();
    return cells[threadIdx.x];
}

enum class Manner { waiting, spinning, slow };

template <Manner manner>
__global__ void chainedScan(const unsigned* values, unsigned* words, unsigned* out) {
    __shared__ unsigned before;
    unsigned* const flags = words + 1;
    unsigned* const sums = flags + gridDim.x;
    const unsigned ticket = ticketOfBlock(words), at = ticket * kScanThreads + threadIdx.x;
    const unsigned sum = scanOfBlock(values[at]);
    if (threadIdx.x == kScanThreads - 1) {
        before = 0;
        if (ticket > 0) {
            if (manner == Manner::spinning)
                while (acquireLoad(&flags[ticket - 1]) == 0) {
                }
            else
                waitUntil(&flags[ticket - 1], IsSet{});
            before = sums[ticket - 1];
        }
        if (manner == Manner::slow) {
            for (int i = 0; i < 500; ++i) before += acquireLoad(&flags[ticket]);
        }
        sums[ticket] = before + sum;
        releaseStore(&flags[ticket], 1U);
    }
    __syncthreads();
    out[at] = before + sum;
}

/// Flag and sum travel in one word: 1 with a block's own sum, 2 with that of all up to it.
__global__ void lookBackScan(const unsigned* values, unsigned* words, unsigned* out) {
    using Word = unsigned long long;
    __shared__ unsigned before;
    Word* const states = reinterpret_cast<Word*>(words + 2);
    const unsigned ticket = ticketOfBlock(words), at = ticket * kScanThreads + threadIdx.x;
    const unsigned sum = scanOfBlock(values[at]);
    if (threadIdx.x == kScanThreads - 1) releaseStore(&states[ticket], Word{1} << 32 | sum);
    if (threadIdx.x >= kScanThreads - 32) {  // the last warp looks back, 32 blocks at a time
        const unsigned lane = threadIdx.x % 32;
        unsigned prefix = 0;
        for (int last = static_cast<int>(ticket) - 1; last >= 0; last -= 32) {
            const int mine = last - static_cast<int>(lane);
            Word state = Word{2} << 32;
            if (mine >= 0) state = waitUntil(&states[mine], [](Word s) { return s != 0; });
            const unsigned complete = __ballot_sync(0xffffffffU, state >> 32 == 2);
            // Lanes behind the nearest complete prefix say nothing.
            const int nearest = complete == 0 ? 31 : __ffs(static_cast<int>(complete)) - 1;
            unsigned share = static_cast<int>(lane) <= nearest ? static_cast<unsigned>(state) : 0;
            for (int step = 16; step > 0; step /= 2) share += __shfl_xor_sync(0xffffffffU, share, step);
            prefix += share;
            if (complete != 0) break;
        }
        if (lane == 31) {
            before = prefix;
            releaseStore(&states[ticket], Word{2} << 32 | (prefix + sum));
        }
    }
    __syncthreads();
    out[at] = before + sum;
}

__global__ void withinBlock(unsigned* words) {
    unsigned* const own = words + blockIdx.x * blockDim.x + threadIdx.x;
    unsigned next = 0;
    if (threadIdx.x + 1 < blockDim.x)
        next = waitUntil(own + 1, [](unsigned count) { return count == blockDim.x - 1 - threadIdx.x; });
    releaseStore(own, next + 1);
}

__global__ void votesMeanwhile(unsigned* words) {
    unsigned* const asked = words + 2 * blockIdx.x;
    unsigned* const answered = asked + 1;
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) releaseStore(asked, 1U);
        while (__any_sync(0xffffffffU, relaxedLoad(answered) == 0)) {
        }
    } else if (threadIdx.x == 32) {
        waitUntil(asked, IsSet{});
        releaseStore(answered, 1U);
    }
}

__global__ void wavefront(unsigned* words, unsigned side) {
    unsigned* const flags = words + 1;
    unsigned* const sums = flags + side * side;
    const unsigned ticket = ticketOfBlock(words), x = ticket % side, y = ticket / side;
    if (threadIdx.x != 0) return;
    if (x > 0) waitUntil(&flags[ticket - 1], IsSet{});
    if (y > 0) waitUntil(&flags[ticket - side], IsSet{});
    sums[ticket] = x > 0 && y > 0 ? sums[ticket - side - 1] + 1 : 1;
    releaseStore(&flags[ticket], 1U);
}

__global__ void waitsForNobody(unsigned* words) {
    if (blockIdx.x == 1 && threadIdx.x == 5) waitUntil(words, IsSet{});
    __syncthreads();
}

__global__ void waitsForLater(unsigned* words) {
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x) waitUntil(&words[blockIdx.x + 1], IsSet{});
    releaseStore(&words[blockIdx.x], 1U);
}

__global__ void waitsInACircle(unsigned* words) {
    const unsigned ticket = ticketOfBlock(words);
    if (threadIdx.x != 0) return;
    waitUntil(&words[1 + (ticket ^ 1U)], IsSet{});
    releaseStore(&words[1 + ticket], 1U);
}

__global__ void spinsForNobody(unsigned* words) {
    if (threadIdx.x == 0) atomicAdd(&words[1], 1U);
    while (acquireLoad(words) == 0) {
    }
}

__global__ void votesForNobody(unsigned* words) {
    if (threadIdx.x == 0) atomicAdd(&words[1], 1U);
    while (__any_sync(0xffffffffU, relaxedLoad(words) == 0)) {
    }
}

/// Block 0 spins, the others wait. Each says that it is there.
__global__ void waitsBesideASpinner(unsigned* words) {
    if (threadIdx.x == 0) atomicAdd(&words[1], 1U);
    if (blockIdx.x > 0) waitUntil(words, IsSet{});
    while (acquireLoad(words) == 0) {
    }
}

inline dim3 gridOf(int blocks) { return dim3(static_cast<unsigned>(blocks)); }

template <auto Kernel>
void startScan(LaunchContext& c, int blocks, const unsigned* values, unsigned* words, unsigned* out) {
    launch(c, Kernel, gridOf(blocks), dim3(kScanThreads), 0, values, words, out);
}

template <auto Kernel>
void startOnWords(LaunchContext& c, int blocks, unsigned* words) {
    launch(c, Kernel, gridOf(blocks), dim3(kScanThreads), 0, words);
}

inline void startWavefront(LaunchContext& c, int side, unsigned* words) {
    launch(c, &wavefront, gridOf(side * side), dim3(kScanThreads), 0, words, static_cast<unsigned>(side));
}

PublishKernels publishKernels() {
    return {.chainedScan = &startScan<&chainedScan<Manner::waiting>>,
            .lookBackScan = &startScan<&lookBackScan>,
            .spinningScan = &startScan<&chainedScan<Manner::spinning>>,
            .slowScan = &startScan<&chainedScan<Manner::slow>>,
            .withinBlock = &startOnWords<&withinBlock>,
            .votesMeanwhile = &startOnWords<&votesMeanwhile>,
            .wavefront = &startWavefront,
            .waitsForNobody = &startOnWords<&waitsForNobody>,
            .waitsForLater = &startOnWords<&waitsForLater>,
            .waitsInACircle = &startOnWords<&waitsInACircle>,
            .spinsForNobody = &startOnWords<&spinsForNobody>,
            .votesForNobody = &startOnWords<&votesForNobody>,
            .waitsBesideASpinner = &startOnWords<&waitsBesideASpinner>};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::testing
