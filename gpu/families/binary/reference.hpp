// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/families/binary/arguments.hpp"
#include "io/grid.hpp"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace warplens::gpu::binary {

/// 1 where a pixel of slice z is inside, row by row.
std::vector<std::uint8_t> insideOf(const io::Grid& input, const Case& of, std::int64_t z);

/// By the definition: 1 where a pixel is in the result's mask, slice by slice. Throws Error(cancelled).
std::vector<std::uint8_t> resultOf(const io::Grid& input, const Case& of, const std::stop_token& stop);

}  // namespace warplens::gpu::binary
