// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <array>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace warplens::gpu::render {

/// Cells (voxel to next voxel) along each edge of a brick.
constexpr int kBrickShift = 3, kBrick = 1 << kBrickShift;

/// Least and greatest value that a ray can meet in a brick; NaN left out. low > high: nothing but NaN.
struct alignas(8) BrickRange {
    float low = 0, high = 0;
};

/// Ranges of all bricks, x fastest: what lets a ray pass over what it would not show.
struct Bricks {
    std::array<int, 3> count{1, 1, 1};
    std::vector<BrickRange> ranges;
};

/// Reads the volume once, on all cores. One channel. Throws Error(cancelled) when stopped.
Bricks bricksOf(const io::Grid& volume, std::stop_token stop = {});

}  // namespace warplens::gpu::render
