// SPDX-License-Identifier: Apache-2.0
// Idea: a block counts its rows of a tile in shared memory, each lane in a copy of its own, and adds the sums up once.
// Changed from global_bins: atomics stay within the block and no two lanes of a warp meet; 16 bytes per load.
// Needs: u8.
// Block: block_width threads, 32 KiB of shared memory: 32 copies of 256 counts, copy l in bank l.
// Source: Podlozhnyuk, Histogram Calculation in CUDA, NVIDIA 2007, with a copy a lane; re-derived.
// Look at: bank conflicts, none, whatever the values; global atomics, next to none.
#pragma once

#include "gpu/families/scan/bins.cuh"
#include "gpu/kernels/load_once.cuh"

namespace warplens::gpu::scan {
inline namespace WARPLENS_BUILD {

struct SharedBinsPolicy {
    static constexpr unsigned kMostThreads = 1024, kBlocks = 2;  ///< of a multiprocessor, full with them
    static constexpr unsigned kBins = 256, kCopies = 32;
    static constexpr int kLaunched = 256;  ///< blocks of a large picture: about as many as run at once
    static constexpr unsigned kAhead = 2;  ///< loads that a lane has under way
};

/// Calls f(value) for this lane's share of a row of a tile: 16 bytes at a time, single ones around them, and those that
/// come back from beyond the picture.
template <class F>
__device__ void forRow(const std::uint8_t* row, int inside, int left, const Bins& b, F f) {
    const auto lane = static_cast<int>(threadIdx.x % 32);
    const int odd = static_cast<int>((16 - reinterpret_cast<std::uintptr_t>(row + left) % 16) % 16);
    const int head = odd < inside ? odd : inside, packs = (inside - head) / 16;
    const auto* const body = reinterpret_cast<const Pack<std::uint8_t>*>(row + left + head);
    for (int first = lane; first < packs; first += 32 * SharedBinsPolicy::kAhead) {
        Pack<std::uint8_t> ahead[SharedBinsPolicy::kAhead] = {};
#pragma unroll
        for (unsigned u = 0; u < SharedBinsPolicy::kAhead; ++u)
            if (first + 32 * static_cast<int>(u) < packs) ahead[u] = loadOnce(body + first + 32 * u);
#pragma unroll
        for (unsigned u = 0; u < SharedBinsPolicy::kAhead; ++u)
            if (first + 32 * static_cast<int>(u) < packs) {
#pragma unroll
                for (int k = 0; k < 16; ++k) f(ahead[u][k]);
            }
    }
    if (lane < head) f(row[left + lane]);
    if (const int at = head + packs * 16 + lane; at < inside) f(row[left + at]);
    for (int x = inside + lane; x < b.tileWidth; x += 32) f(row[mirrored(left + x, b.width)]);
}

template <class T>
__global__ void __launch_bounds__(SharedBinsPolicy::kMostThreads, SharedBinsPolicy::kBlocks)
    shared_bins(const T* in, unsigned* counts, Bins b, int rows) {
    __shared__ unsigned own[SharedBinsPolicy::kBins * SharedBinsPolicy::kCopies];
    for (unsigned i = threadIdx.x; i < SharedBinsPolicy::kBins * SharedBinsPolicy::kCopies; i += blockDim.x) own[i] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    const T* const slice = in + Wide{blockIdx.z} * b.width * b.height;
    const int left = static_cast<int>(blockIdx.y) % b.tilesX * b.tileWidth;
    const int top = static_cast<int>(blockIdx.y) / b.tilesX * b.tileHeight;
    const int right = b.width - left < b.tileWidth ? b.width - left : b.tileWidth;
    const int inside = right < 0 ? 0 : right;  // the last tiles may begin beyond the picture
    const int first = static_cast<int>(blockIdx.x) * rows;
    const int end = first + rows < b.tileHeight ? first + rows : b.tileHeight;
    for (int y = first + static_cast<int>(threadIdx.x / 32); y < end; y += static_cast<int>(blockDim.x / 32))
        forRow(slice + Wide(mirrored(top + y, b.height)) * b.width, inside, left, b,
               [&](T value) { atomicAdd(&own[value * SharedBinsPolicy::kCopies + lane], 1U); });
    __syncthreads();
    unsigned* const all = countsOfTile(counts, b);
    for (unsigned bin = threadIdx.x; bin < SharedBinsPolicy::kBins; bin += blockDim.x) {
        unsigned sum = 0;
        // Lanes begin at different copies, each in another bank.
        for (unsigned k = 0; k < SharedBinsPolicy::kCopies; ++k)
            sum += own[bin * SharedBinsPolicy::kCopies + (lane + k) % SharedBinsPolicy::kCopies];
        if (sum > 0) atomicAdd(&all[bin], sum);
    }
}

inline void launchSharedBins(LaunchContext& c, const Bins& b, const TunableValues& t) {
    // Rows of a block: a warp each at least.
    const std::int64_t all = b.tiles() * b.tileHeight,
                       share = (all + SharedBinsPolicy::kLaunched - 1) / SharedBinsPolicy::kLaunched;
    const int warps = static_cast<int>(blockWidthOf(t)) / 32;
    const int rows = share < warps ? warps : static_cast<int>(share);
    const dim3 grid(ceilDiv(b.tileHeight, rows), static_cast<unsigned>(b.tilesX * b.tilesY),
                    static_cast<unsigned>(b.slices));
    launch(c, &shared_bins<std::uint8_t>, grid, dim3(blockWidthOf(t)), 0,
           static_cast<const std::uint8_t*>(c.address(b.input)), static_cast<unsigned*>(c.address(b.counts)), b, rows);
}

inline Footprint sharedBinsFootprint(const TunableValues& t) {
    return tileFootprint(blockWidthOf(t), blockWidthOf(t) * 256, true);
}

KernelEntry shared_bins_entry() {
    return {.count = &launchSharedBins, .footprint = &sharedBinsFootprint, .halves = false};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::scan
