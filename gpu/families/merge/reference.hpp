// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "io/grid.hpp"

#include <stop_token>

namespace warplens::gpu::merge {

/// The values of each channel in order, in raster order: -infinity, ..., -0, +0, ..., +infinity, NaN. By counting,
/// digit after digit, where every kernel compares. Throws Error(cancelled).
io::Grid sorted(const io::Grid& input, const std::stop_token& stop);

/// To the last bit; a library may have zeros of either sign, and any NaN, where the other is.
Verification compare(const io::Grid& output, const io::Grid& exact, bool bits, const std::stop_token& stop);

}  // namespace warplens::gpu::merge
