// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.hpp"

namespace warplens::gpu::testing {

/// Blocks that wait for others, of 64 threads each. Words are zero at first.
struct PublishKernels {
    /// words: a counter of tickets, then a flag and a sum a block. out: the values' inclusive sums.
    void (*chainedScan)(LaunchContext& c, int blocks, const unsigned* values, unsigned* words, unsigned* out);
    /// words: a counter of tickets and room for alignment, then two words a block. The same by decoupled look-back.
    void (*lookBackScan)(LaunchContext& c, int blocks, const unsigned* values, unsigned* words, unsigned* out);
    /// As chainedScan, and a block loads flags in a loop of its own instead.
    void (*spinningScan)(LaunchContext& c, int blocks, const unsigned* values, unsigned* words, unsigned* out);
    /// As chainedScan, and each block looks at a word 500 times before it publishes.
    void (*slowScan)(LaunchContext& c, int blocks, const unsigned* values, unsigned* words, unsigned* out);
    /// Each thread waits for the next one of its block, the last for nobody. words: a flag a thread of all blocks.
    void (*withinBlock)(LaunchContext& c, int blocks, unsigned* words);
    /// A warp votes until a thread of the other has answered its word. words: two a block.
    void (*votesMeanwhile)(LaunchContext& c, int blocks, unsigned* words);
    /// Blocks (x, y) of a square wait for those left and above, and read what the one left above wrote. words: a
    /// counter of tickets, then a flag and a sum a block.
    void (*wavefront)(LaunchContext& c, int side, unsigned* words);

    // Wrong: these never end on a GPU.
    void (*waitsForNobody)(LaunchContext& c, int blocks, unsigned* words);  ///< thread 5 of block 1
    void (*waitsForLater)(LaunchContext& c, int blocks, unsigned* words);   ///< each for the block after it
    void (*waitsInACircle)(LaunchContext& c, int blocks, unsigned* words);  ///< tickets in pairs, each for the other
    void (*spinsForNobody)(LaunchContext& c, int blocks, unsigned* words);  ///< by a loop of its own
    void (*votesForNobody)(LaunchContext& c, int blocks, unsigned* words);  ///< by a loop of votes
    void (*waitsBesideASpinner)(LaunchContext& c, int blocks, unsigned* words);  ///< block 0 spins, the others wait
};

}  // namespace warplens::gpu::testing
