// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu::testing {

// n x n values, n a multiple of 32; blocks of 32 x 32.
void launchTransposeNaive(LaunchContext& c, const float* in, float* out, int n);
void launchTransposeTiled(LaunchContext& c, const float* in, float* out, int n, bool padded);
void launchSumOfFours(LaunchContext& c, const float* in, float* out,
                      int count);  ///< a multiple of 1,024; blocks of 256
void launchTiledOutput(LaunchContext& c, const float* in, const float* filter, float* out, int n,
                       int tile);                                              ///< tile: 16 or 32
void launchSevenPoints(LaunchContext& c, const float* in, float* out, int n);  ///< n^3 values; blocks of 32 x 4 x 4
void launchSkippingLanes(LaunchContext& c, const float* in, float* out);       ///< one warp, 160 values in
void launchUnevenLoops(LaunchContext& c, const float* in, float* out);         ///< one warp, 32 values in
void launchBranching(LaunchContext& c, float* out);                  ///< 3 blocks of 2 warps, a value a thread
void launchProducts(LaunchContext& c, const float* in, float* out);  ///< 3 blocks of 2 warps, 5 matrix products each
void launchWarpBarriers(LaunchContext& c, float* out, int times);    ///< one warp, 32 values out
void launchCounting(LaunchContext& c, unsigned* out, unsigned addresses);  ///< 3 blocks of 128; at most 32 addresses

/// 3 warps, each thread a value from the `first` on, the first `lanes` of a warp alone.
void launchFetching(LaunchContext& c, const float* in, float* out, int first, int lanes);
void launchAdding(LaunchContext& c, const float* in, float* out);  ///< 3 blocks of 2 warps, all onto out[0]

}  // namespace warplens::gpu::testing
