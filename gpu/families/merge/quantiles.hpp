// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace warplens::gpu::merge {

/// The table `quantiles` of values that each channel has sorted, NaN last: the value at each share of those that are
/// numbers, or the one below where it falls between two. No number at all: NaN.
std::shared_ptr<const Table> quantilesOf(const io::Grid& sorted);

/// The same of what a device picked: Picks::kWords words a channel.
std::shared_ptr<const Table> quantilesOf(const std::vector<std::uint64_t>& picked, io::PixelType type);

}  // namespace warplens::gpu::merge
