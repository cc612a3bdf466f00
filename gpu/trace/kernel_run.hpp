// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/sampling.hpp"
#include "gpu/trace/tally.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::trace {

/// All launches of one kernel with one shape in a run.
struct KernelRun {
    const void* kernel = nullptr;
    dim3 grid, block;
    std::size_t sharedBytes = 0;
    std::int64_t launches = 0, tracedLaunches = 0;
    std::array<Tally, kKinds> tallies;  ///< of the traced blocks, by their kind

    std::int64_t blocks() const { return launches * grid.x * grid.y * grid.z; }
    std::int64_t tracedBlocks() const {
        std::int64_t sum = 0;
        for (const auto& tally : tallies) sum += tally.blocks;
        return sum;
    }
};

}  // namespace warplens::gpu::trace
