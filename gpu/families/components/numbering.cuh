// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the first component of each chunk stands among all, from how many each chunk has.

#include "gpu/families/components/launching.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

struct ScanPolicy {
    static constexpr unsigned kThreads = 1024;
};

/// The sum of what threads before this one of a block gave, and of all, for blocks of whole warps.
struct BlockSum {
    unsigned before, total;
};

__device__ inline BlockSum blockSum(unsigned own) {
    __shared__ unsigned ofWarps[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned inclusive = warpInclusive(own);
    if (lane == 31) ofWarps[warp] = inclusive;
    __syncthreads();
    const unsigned upTo = warpInclusive(lane < warps ? ofWarps[lane] : 0U);
    const unsigned total = __shfl_sync(kAllLanes, upTo, 31);
    const unsigned throughWarp = __shfl_sync(kAllLanes, upTo, static_cast<int>(warp));
    const unsigned ofWarp = __shfl_sync(kAllLanes, inclusive, 31);
    return {throughWarp - ofWarp + inclusive - own, total};
}

/// One block: behind the counts go the counts before each. Not in their place, as the trace may run a block twice.
__global__ void __launch_bounds__(ScanPolicy::kThreads)
    scan_counts(unsigned* counts, unsigned chunks, unsigned* total) {
    const unsigned each = (chunks + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    const unsigned end = first + each < chunks ? first + each : chunks;
    unsigned own = 0;
    for (unsigned i = first; i < end; ++i) own += counts[i];
    const BlockSum sum = blockSum(own);
    unsigned before = sum.before;
    for (unsigned i = first; i < end; ++i) {
        counts[chunks + i] = before;
        before += counts[i];
    }
    if (threadIdx.x == 0) *total = sum.total;
}

inline void launchScanCounts(LaunchContext& c, const Task& task, unsigned* counts, unsigned chunks) {
    launch(c, &scan_counts, dim3(1), dim3(ScanPolicy::kThreads), 0, counts, chunks,
           static_cast<unsigned*>(c.address(task.total)));
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
