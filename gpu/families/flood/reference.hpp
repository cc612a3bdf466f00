// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/table.hpp"
#include "gpu/families/flood/parameters.hpp"

#include <memory>
#include <stop_token>

namespace warplens::gpu::flood {

/// Steps from the nearest seed, -1 outside, as i32 and one channel; the definition level by level: a pixel belongs to
/// the first seed in the list of those that reach it first and accept it. Throws Error(cancelled).
std::shared_ptr<io::Grid> flooded(const io::Grid& input, const FloodOptions& asked, const std::stop_token& stop);

/// Of such a picture the table "levels": how many pixels each level has.
std::shared_ptr<const Table> levelsOf(const io::Grid& steps);

Verification compare(const io::Grid& steps, const Table& levels, const io::Grid& exact, const std::stop_token& stop);

}  // namespace warplens::gpu::flood
