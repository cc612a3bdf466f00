// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/check.hpp"
#include "gpu/device/cuda/hold.hpp"

#include <atomic>

namespace warplens::gpu::cuda {
namespace {

/// Long enough to queue some hundred launches. Work that waits for the stream without letting go loses no more than
/// this, and longer sequences of launches go at the host's pace, as they do for everybody.
constexpr unsigned long long kMostNanoseconds = 1'000'000;

__device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void holdStream(const volatile unsigned* flag, unsigned turn) {
    const unsigned long long begin = nanoseconds();
    while (*flag != turn && nanoseconds() - begin < kMostNanoseconds) {
    }
}

}  // namespace

Hold::~Hold() {
    if (m_flag == nullptr) return;
    cudaFreeHost(m_flag);
    cudaGetLastError();
}

void Hold::begin(cudaStream_t stream) {
    if (m_flag == nullptr) {
        void* memory = nullptr;
        check(cudaHostAlloc(&memory, sizeof *m_flag, cudaHostAllocMapped), "cudaHostAlloc");
        m_flag = static_cast<unsigned*>(memory);
        *m_flag = 0;
    }
    void* seen = nullptr;
    WARPLENS_CUDA(cudaHostGetDevicePointer(&seen, m_flag, 0));
    holdStream<<<1, 1, 0, stream>>>(static_cast<const unsigned*>(seen), ++m_turn);
    WARPLENS_CUDA(cudaGetLastError());
}

void Hold::release() noexcept {
    if (m_flag != nullptr) std::atomic_ref(*m_flag).store(m_turn, std::memory_order_release);
}

}  // namespace warplens::gpu::cuda
