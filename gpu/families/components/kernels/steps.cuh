// SPDX-License-Identifier: Apache-2.0
// Idea: what follows a forest, whatever linked it: roots are counted and numbered in raster order, then each pixel gets
// its root's number and the table what the pixel adds.
// Changed from: -
// Needs: parents that come before their children.
// Block: 256 threads; the last kernel 4 KiB of shared memory for the rows of 128 labels.
// Source: re-derived.
// Look at: a thread goes down its column, so that the table hears of runs and not of pixels.
#pragma once

#include "gpu/families/components/label_words.cuh"

namespace warplens::gpu::components {
inline namespace WARPLENS_BUILD {

struct StepsPolicy {
    static constexpr unsigned kThreads = 256;
    static constexpr unsigned kSteps = 32;           ///< pixels of a lane, 32 apart
    static constexpr unsigned kChunk = 32 * kSteps;  ///< of a warp
    static constexpr int kRows = 32;                 ///< that a thread goes down
};

/// Hangs each pixel below its root, and counts the roots of each warp's chunk.
__global__ void flatten(unsigned* parents, unsigned* counts, unsigned pixels) {
    const unsigned chunk = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned first = chunk * StepsPolicy::kChunk;
    if (first >= pixels) return;
    unsigned roots = 0;
    for (unsigned step = 0; step < StepsPolicy::kSteps; ++step) {
        const unsigned i = first + step * 32 + lane;
        const unsigned parent = i < pixels ? relaxedLoad(&parents[i]) : kOutside;
        roots += __popc(__ballot_sync(kAllLanes, i < pixels && parent == i));
        if (parent < i) relaxedStore(&parents[i], rootAbove(parents, parent));
    }
    if (lane == 0) counts[chunk] = roots;
}

/// Numbers from 1 on, and rows yet to be filled.
__global__ void number_roots(unsigned* parents, const unsigned* counts, unsigned pixels, Table table) {
    const unsigned chunk = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned first = chunk * StepsPolicy::kChunk;
    if (first >= pixels) return;
    unsigned before = counts[chunk];
    for (unsigned step = 0; step < StepsPolicy::kSteps; ++step) {
        const unsigned i = first + step * 32 + lane;
        const bool root = i < pixels && parents[i] == i;
        const unsigned roots = __ballot_sync(kAllLanes, root);
        if (root) {
            const unsigned label = before + __popc(roots & ((1U << lane) - 1)) + 1;
            parents[i] = kNumbered | label;
            table.begin(label);
        }
        before += __popc(roots);
    }
}

__global__ void __launch_bounds__(StepsPolicy::kThreads)
    write_labels(const unsigned* parents, unsigned* labels, Extent e, Table table) {
    __shared__ Tally tally;
    tally.clear();
    __syncthreads();
    const unsigned x0 = blockIdx.x * blockDim.x, y0 = blockIdx.y * StepsPolicy::kRows, z = blockIdx.z;
    const unsigned x = x0 + threadIdx.x;
    if (x < static_cast<unsigned>(e.width)) {
        unsigned label = 0, from = 0;
        for (unsigned row = 0; row <= StepsPolicy::kRows; ++row) {
            unsigned next = 0;
            if (row < StepsPolicy::kRows && y0 + row < static_cast<unsigned>(e.height)) {
                const unsigned i = e.at(x, y0 + row, z);
                next = numberAbove(parents, i);
                labels[i] = next;
            }
            if (next == label) continue;
            const unsigned area = row - from, last = row - 1, column = threadIdx.x;
            if (label != 0)
                tally.add(label,
                          {area, column * area, (from + last) * area / 2, column, column, (2U << last) - (1U << from)},
                          table, x0, y0, z);
            label = next;
            from = row;
        }
    }
    __syncthreads();
    tally.flush(table, x0, y0, z);
}

inline unsigned chunksOf(const Task& task) {
    return static_cast<unsigned>((task.pixels() + StepsPolicy::kChunk - 1) / StepsPolicy::kChunk);
}

inline void launchPixels(LaunchContext& c, const Task& task) {
    const auto pixels = static_cast<unsigned>(task.pixels());
    const unsigned chunks = chunksOf(task), threads = StepsPolicy::kThreads;
    unsigned* const parents = parentsOf(c, task);
    unsigned* const counts = parents + pixels;
    const dim3 grid = blocksFor(std::size_t{chunks} * 32, threads);
    launch(c, &flatten, grid, dim3(threads), 0, parents, counts, pixels);
    launchScanCounts(c, task, counts, chunks);
    launch(c, &number_roots, grid, dim3(threads), 0, parents, static_cast<const unsigned*>(counts + chunks), pixels,
           tableOf(c, task));
    const dim3 tiles(ceilDiv(task.width, static_cast<int>(threads)), ceilDiv(task.height, StepsPolicy::kRows),
                     static_cast<unsigned>(task.depth));
    launch(c, &write_labels, tiles, dim3(threads), 0, static_cast<const unsigned*>(parents),
           static_cast<unsigned*>(c.address(task.output)), extentOf(task), tableOf(c, task));
}

inline void launchFinish(LaunchContext& c, const Task& task, Forest forest) {
    if (forest == Forest::pixels) return launchPixels(c, task);
    launchWords(c, task, forest == Forest::runs);
}

inline std::size_t finishScratch(const Task& task, Forest forest) {
    if (forest != Forest::pixels) return wordsScratch(task);
    return (task.pixels() + 2 * chunksOf(task)) * sizeof(unsigned);
}

StepsEntry steps_entry() { return {.finish = &launchFinish, .scratchBytes = &finishScratch}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::components
