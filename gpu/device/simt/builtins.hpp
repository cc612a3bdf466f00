// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// The words of CUDA C++ that a launch and a kernel are written in, for the host compiler. They stand in the global
// namespace because CUDA's do.

struct uint3 {
    unsigned x = 0, y = 0, z = 0;
};

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
};

namespace warplens::gpu::simt {

/// Who the running thread is. One per worker; threadIdx and the lane are written at every switch.
struct Builtins {
    uint3 threadIdx, blockIdx;
    uint3 blockDim, gridDim;
    unsigned lane = 0;  ///< in its warp
};

extern constinit thread_local Builtins builtins;

/// The largest block of dynamic shared memory: what compute capability 9.0 lets one block have.
constexpr std::size_t kMaxSharedBytes = 227 * 1024;
constexpr unsigned kMaxThreads = 1024;
constexpr unsigned kWarpSize = 32;

/// Waits until every thread of the block is here.
void barrier(const char* file, int line);
/// Waits until the lanes of `mask` are here.
void warpBarrier(unsigned mask, const char* file, int line);
/// What a lane holds of the two matrices of a warp's product.
constexpr unsigned kMatrixValues = 12;
/// What the lanes of a warp gave: 8 bytes each, or their parts of two matrices. It holds until the lane waits again.
struct Exchange {
    std::uint64_t value[kWarpSize];
    float matrix[kWarpSize][kMatrixValues];
    unsigned present;  ///< who gave something
};
/// Every lane of `mask` gives `value` and gets what all gave.
const Exchange& warpExchange(unsigned mask, std::uint64_t value, const char* file, int line);
const Exchange& warpExchange(unsigned mask, const float (&matrix)[kMatrixValues], const char* file, int line);
inline unsigned laneOf() { return builtins.lane; }

/// Something that another thread is to bring about; `holds` may be asked at any time by the block's OS thread.
struct Condition {
    bool (*holds)(const void* closure);
    const void* closure;
};
/// Waits until it holds. `function` is who waits, for the message of a deadlock.
void waitUntil(Condition condition, const char* function, const char* file, int line);
/// Lets the block's other threads run, and other blocks.
void yield();

}  // namespace warplens::gpu::simt
