// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu::testing {

void launchEmpty(LaunchContext& c, int blocks, int threads, int* counter);
void launchReturnsBeforeBarrier(LaunchContext& c, int* out);          ///< 64 threads, number 5 returns early
void launchTwoBarriers(LaunchContext& c, int* out);                   ///< even and odd threads at different barriers
void launchShuffleAgainstBarrier(LaunchContext& c, int* out);         ///< half a warp shuffles, half waits
void launchReverse(LaunchContext& c, int* out, bool barrier);         ///< 8 blocks of 256: out = 255 - thread
void launchWarpSum(LaunchContext& c, int* out);                       ///< 4 blocks of 2 warps: sums of thread numbers
void launchVotes(LaunchContext& c, int* out);                         ///< one warp: out = lane ^ 1
void writeConstants(LaunchContext& c, const int* values, int count);  ///< the first `count` of 4, all 0 at first
void launchSumOfConstants(LaunchContext& c, int blocks, int* out);    ///< blocks of a thread: the sum of the 4
/// One warp: d = a b + c, a 16 x 16 and b 16 x 8 of bf16 or f16 values, c and d 16 x 8, all row after row.
void launchMatrixProduct(LaunchContext& c, bool f16, const float* a, const float* b, const float* sum, float* out);
unsigned pairOfF16(float low, float high);  ///< gpu/kernels/tensor_cores.cuh's functions by the same names
struct Two {
    float x, y;
};
Two valuesOfF16(unsigned pair);
unsigned f16OfBytes(unsigned word, bool upper);
void launchCoordinates(LaunchContext& c, unsigned* out);  ///< 3x4x5 blocks of 7x3x2 threads

}  // namespace warplens::gpu::testing
