// SPDX-License-Identifier: Apache-2.0
// Idea: a block collects what it finds in shared memory and asks the common queue for a place once.
// Changed from frontier: one addition to the common counter a block, not one a pixel; stores to the queue coalesce.
// Needs: a launch a level; a place in the queue for each pixel.
// Block: block_width threads, 8,200 bytes of shared memory.
// Source: Kirk and Hwu, 4th ed., section 15.6.
// Look at: a narrow level has one block with work, and it costs a whole launch.
#pragma once

#include "gpu/families/flood/private_queue.cuh"

namespace warplens::gpu::flood {
inline namespace WARPLENS_BUILD {

KernelEntry privatised_entry() {
    return {.levels = &launchPrivateQueues<>, .footprint = &pixelFootprint, .queues = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::flood
