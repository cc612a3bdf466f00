// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <stop_token>

namespace warplens::gpu {

/// Calls f(y, z) for the rows of a result that are compared: of small ones all, of large ones the first and last rows
/// and every so manieth, whole rows each. Throws Error(cancelled).
template <class F>
void eachCheckedRow(const io::Shape& shape, const std::stop_token& stop, F f) {
    constexpr std::int64_t kMostValues = 1 << 24, kEndRows = 300;
    const std::int64_t rows = shape.height * shape.depth;
    // Odd, and so no divisor of a tile.
    const std::int64_t every = shape.values() <= kMostValues ? 1 : 2 * (shape.values() / kMostValues) + 1;
    for (std::int64_t row = 0; row < rows; ++row) {
        if (row % every != 0 && row >= kEndRows && row < rows - kEndRows) continue;
        if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "verification stopped");
        f(row % shape.height, row / shape.height);
    }
}

}  // namespace warplens::gpu
