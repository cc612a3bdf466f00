// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/simt/builtins.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::gpu::trace {

/// How much of a launch is traced.
struct SamplePolicy {
    /// Log words (a basic block is one, an access three) that a launch may cost; the number of blocks follows from a
    /// pilot block.
    std::int64_t words = 100'000'000;
    bool whole = false;  ///< every block, whatever it costs
    int launches = 2;    ///< of one kernel with one shape; later ones count like these and are not run
};

/// Blocks differ by where they lie on each axis: first, between or last. 27 kinds: corners, edges, faces, interior.
constexpr int kKinds = 27;
int kindOf(uint3 index, dim3 grid);

/// How many blocks of a grid are of each kind.
std::array<std::int64_t, kKinds> population(dim3 grid);

/// About `wanted` blocks, at least two of each kind where there are so many, evenly spread; all of them when there are
/// no more. In the order of their numbers.
std::vector<uint3> chooseBlocks(dim3 grid, std::int64_t wanted);

}  // namespace warplens::gpu::trace
